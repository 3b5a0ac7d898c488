#pragma once

#include <boost/asio/error.hpp>

namespace squall::pool {

/// Nothing went wrong: a socket that does not wait has nothing to read, or no room to write.
inline bool would_block(const boost::system::error_code& error) {
    return error == boost::asio::error::would_block || error == boost::asio::error::try_again;
}

}  // namespace squall::pool
