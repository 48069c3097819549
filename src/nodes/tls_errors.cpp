#include "nodes/tls_errors.hpp"

#include <spdlog/spdlog.h>

#include <arpa/inet.h>
#include <dlfcn.h>
#include <mutex>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

namespace troupe {

namespace {

std::mutex mutex;
std::string node_name; // guarded by mutex

std::string address_of_peer(const SSL* line) {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  const int fd = SSL_get_fd(line);
  if (fd < 0 || getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0)
    return "somebody who has left";
  char text[INET6_ADDRSTRLEN] = "";
  std::uint16_t port = 0;
  if (peer.ss_family == AF_INET) {
    const auto& in = reinterpret_cast<const sockaddr_in&>(peer);
    inet_ntop(AF_INET, &in.sin_addr, text, sizeof text);
    port = ntohs(in.sin_port);
  } else {
    const auto& in = reinterpret_cast<const sockaddr_in6&>(peer);
    inet_ntop(AF_INET6, &in.sin6_addr, text, sizeof text);
    port = ntohs(in.sin6_port);
  }
  return std::string{text} + ':' + std::to_string(port);
}

/// Returns the first error in this thread's queue, and empties that.
unsigned long take_error() {
  const auto first = ERR_get_error();
  ERR_clear_error();
  return first;
}

std::string text_of(unsigned long error) {
  const char* reason = ERR_reason_error_string(error);
  return reason != nullptr ? reason : "error " + std::to_string(error);
}

} // namespace

void log_tls_errors(const std::string& node) {
  const std::lock_guard lock{mutex};
  node_name = node;
}

} // namespace troupe

/// Stands before OpenSSL's own function of that name, for CAF calls it after whatever has failed.
extern "C" int SSL_get_error(const SSL* line, int result) {
  using function = int (*)(const SSL*, int);
  static const auto real = reinterpret_cast<function>(dlsym(RTLD_NEXT, "SSL_get_error"));
  const int error = real(line, result);
  const auto why = troupe::take_error();
  // A process that dies says no goodbye; that its line is down is said elsewhere.
  if (error == SSL_ERROR_SSL && ERR_GET_REASON(why) != SSL_R_UNEXPECTED_EOF_WHILE_READING) {
    const std::lock_guard lock{troupe::mutex};
    spdlog::warn("node {}: TLS with {} fails: {}", troupe::node_name, troupe::address_of_peer(line),
                 troupe::text_of(why));
  }
  return error;
}
