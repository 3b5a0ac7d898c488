#include "operations.hpp"

#include <memory>
#include <utility>

#include "contents.hpp"

namespace squall::throughput {
namespace {

using Events = Throughput::EventsPrx;

/// An operation that takes the same value once for each index.
template <class Value, class Method, std::size_t... Index>
Operation repeated_value(std::string name, Method method, std::index_sequence<Index...>) {
    constexpr std::size_t kPayload = sizeof...(Index) * sizeof(Value);
    return {std::move(name), kPayload, [method](Events& events, std::int64_t calls) {
                for (std::int64_t i = 0; i < calls; ++i) {
                    (events.*method)(((void)Index, Value{42})..., Ice::noExplicitContext);
                }
            }};
}

/// The first method takes one parameter, the second two, and so on.
template <class Value, class... Methods>
void add_scalars(std::vector<Operation>& all, char letter, Methods... methods) {
    const auto add = [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        (all.push_back(repeated_value<Value>(letter + std::to_string(Index + 1), methods,
                                             std::make_index_sequence<Index + 1>{})),
         ...);
    };
    add(std::index_sequence_for<Methods...>{});
}

template <class Sequence>
Operation sequence(std::string name, Sequence values,
                   void (Events::*method)(const Sequence&, const Ice::Context&)) {
    Ice::OutputStream encoded;
    encoded.write(values);
    return {std::move(name), encoded.b.size(),
            [values = std::move(values), method](Events& events, std::int64_t calls) {
                for (std::int64_t i = 0; i < calls; ++i) {
                    (events.*method)(values, Ice::noExplicitContext);
                }
            }};
}

}  // namespace

std::vector<Operation> all_operations() {
    using E = Events;
    std::vector<Operation> all;
    all.push_back(repeated_value<Ice::Byte>("v", &E::v, std::index_sequence<>{}));
    add_scalars<Ice::Byte>(all, 'b', &E::b1, &E::b2, &E::b3, &E::b4, &E::b5, &E::b6, &E::b7,
                           &E::b8);
    add_scalars<short>(all, 's', &E::s1, &E::s2, &E::s3, &E::s4, &E::s5, &E::s6, &E::s7, &E::s8);
    add_scalars<int>(all, 'i', &E::i1, &E::i2, &E::i3, &E::i4, &E::i5, &E::i6, &E::i7, &E::i8);
    add_scalars<long long>(all, 'l', &E::l1, &E::l2, &E::l3, &E::l4, &E::l5, &E::l6, &E::l7,
                           &E::l8);
    add_scalars<float>(all, 'f', &E::f1, &E::f2, &E::f3, &E::f4, &E::f5, &E::f6, &E::f7, &E::f8);
    add_scalars<double>(all, 'd', &E::d1, &E::d2, &E::d3, &E::d4, &E::d5, &E::d6, &E::d7, &E::d8);
    all.push_back(sequence("sendByteSeq", make_bytes(), &E::sendByteSeq));
    all.push_back(sequence("sendFixedSeq", make_fixed(), &E::sendFixedSeq));
    all.push_back(sequence("sendStringSeq", make_strings(), &E::sendStringSeq));
    all.push_back(sequence("sendStringDoubleSeq", make_string_doubles(), &E::sendStringDoubleSeq));
    return all;
}

}  // namespace squall::throughput
