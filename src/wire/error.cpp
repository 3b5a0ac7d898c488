#include "wire/error.hpp"

namespace squall::wire {

std::string_view to_string(WireError error) noexcept {
    switch (error) {
        case WireError::kNone:
            return "no error";
        case WireError::kTruncated:
            return "the message ends in the middle of a value";
        case WireError::kBadMagic:
            return "not an Ice message: it does not start with \"IceP\"";
        case WireError::kBadProtocol:
            return "unsupported Ice protocol version, only 1.0 is spoken";
        case WireError::kBadEncoding:
            return "unsupported encoding version in the message header, only 1.0 is spoken";
        case WireError::kBadType:
            return "unknown message type, the highest is 4";
        case WireError::kBadCompression:
            return "unexpected compression byte";
        case WireError::kBadSize:
            return "a size is negative or too small for what it counts";
        case WireError::kTooLarge:
            return "the message is larger than Ice.MessageSizeMax allows";
        case WireError::kBadFacet:
            return "a facet path has more than one element";
        case WireError::kBadCount:
            return "a count is negative or larger than the message could hold";
        case WireError::kBadEncapsulation:
            return "an encapsulation is shorter than its header or longer than the message";
        case WireError::kBadString:
            return "a string is longer than the message";
        case WireError::kTrailingBytes:
            return "bytes are left over at the end of the message";
        case WireError::kBadCompressedData:
            return "the compressed content is damaged or has not the size that it declares";
    }
    return "unknown wire error";
}

}  // namespace squall::wire
