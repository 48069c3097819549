#include "nodes/socket_address.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace troupe {

std::string peer_address(int socket) {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  if (socket < 0 || getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) != 0)
    return "a peer that has disconnected";
  char text[INET6_ADDRSTRLEN] = "";
  if (peer.ss_family == AF_INET) {
    const auto& in = reinterpret_cast<const sockaddr_in&>(peer);
    inet_ntop(AF_INET, &in.sin_addr, text, sizeof text);
    return std::string{text} + ':' + std::to_string(ntohs(in.sin_port));
  }
  const auto& in = reinterpret_cast<const sockaddr_in6&>(peer);
  inet_ntop(AF_INET6, &in.sin6_addr, text, sizeof text);
  return '[' + std::string{text} + "]:" + std::to_string(ntohs(in.sin6_port));
}

} // namespace troupe
