#include "nodes/connections/caf_socket.hpp"

#include <cerrno>
#include <sys/socket.h>

namespace troupe {

std::pair<asio::local::stream_protocol::socket, caf_socket> make_socket_pair(asio::io_context& io) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw boost::system::system_error{errno, boost::system::system_category(), "a pair of sockets"};
  return {asio::local::stream_protocol::socket{io, asio::local::stream_protocol{}, ends[0]},
          ends[1]};
}

} // namespace troupe
