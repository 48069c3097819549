#pragma once

#include "nodes/connections/asio.hpp"

#include <functional>
#include <utility>

namespace troupe {

/// CAF's end of an established connection: a file descriptor, which the receiver closes.
using caf_socket = int;

/// Creates a pair of sockets: the carrier's, and CAF's. Throws `boost::system::system_error` if
/// there are no more file descriptors.
std::pair<asio::local::stream_protocol::socket, caf_socket> make_socket_pair(asio::io_context& io);

} // namespace troupe
