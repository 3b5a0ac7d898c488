#include "broker/subscriber_record.hpp"

#include <Ice/InputStream.h>
#include <Ice/OutputStream.h>
#include <Ice/Version.h>

namespace squall::broker {

registry::Value encode(const SubscriberRecord& record) {
    Ice::OutputStream stream(record.proxy->ice_getCommunicator(), Ice::Encoding_1_1);
    stream.startEncapsulation();
    stream.write(record.proxy);
    stream.write(record.qos);
    stream.endEncapsulation();
    registry::Value value;
    stream.finished(value);
    return value;
}

SubscriberRecord decode(const std::shared_ptr<Ice::Communicator>& communicator,
                        const registry::Value& value) {
    Ice::InputStream stream(communicator, Ice::Encoding_1_1, value);
    SubscriberRecord record;
    stream.startEncapsulation();
    stream.read(record.proxy);
    stream.read(record.qos);
    stream.endEncapsulation();
    return record;
}

}  // namespace squall::broker
