#pragma once

#include <Ice/Current.h>
#include <Ice/Incoming.h>

#include <string_view>

namespace squall::broker {

/// True for the operations that IceStorm 3.7 or its successors declare idempotent or nonmutating.
bool is_idempotent(std::string_view operation);

/// A servant whose idempotent operations accept every mode that some Ice version sends for them:
/// idempotent, the old nonmutating, and normal (behaviour reference 1.6). The generated dispatch
/// refuses the last.
template <class Servant>
class LenientModes : public Servant {
public:
    bool _iceDispatch(IceInternal::Incoming& request, const Ice::Current& current) override {
        if (current.mode == Ice::OperationMode::Normal && is_idempotent(current.operation)) {
            Ice::Current corrected = current;
            corrected.mode = Ice::OperationMode::Idempotent;
            return Servant::_iceDispatch(request, corrected);
        }
        return Servant::_iceDispatch(request, current);
    }
};

}  // namespace squall::broker
