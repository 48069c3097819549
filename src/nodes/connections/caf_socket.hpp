#pragma once

#include "nodes/connections/asio.hpp"

#include <functional>
#include <utility>

namespace troupe {

/// CAF's end of an established connection: a file descriptor, which the receiver closes.
using caf_socket = int;

/// Makes a pair of sockets: the one of a carrier, and that of CAF. Throws
/// `boost::system::system_error` if there are no more file descriptors.
std::pair<asio::local::stream_protocol::socket, caf_socket> make_socket_pair(asio::io_context& io);

} // namespace troupe
