#pragma once

#include <Ice/OutputStream.h>
#include <Ice/StreamHelpers.h>

namespace squall::broker {

/// A user exception of the contract, marshaled byte for byte as IceStorm's: marked as the last
/// slice, which the C++11 mapping of Ice 3.7 forgets (behaviour reference 12.3).
template <class Exception>
class Exact : public Exception {
public:
    using Exception::Exception;

protected:
    void _writeImpl(Ice::OutputStream* stream) const override {
        stream->startSlice(Exception::ice_staticId(), -1, true);
        Ice::StreamWriter<Exception, Ice::OutputStream>::write(stream, *this);
        stream->endSlice();
    }
};

}  // namespace squall::broker
