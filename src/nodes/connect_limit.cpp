#include "nodes/connect_limit.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>

namespace troupe {

namespace {

std::atomic<std::int64_t> limit_ms{0};

bool is_limited(int socket, const sockaddr* to) {
  return limit_ms > 0 && (to->sa_family == AF_INET || to->sa_family == AF_INET6) &&
         (fcntl(socket, F_GETFL) & O_NONBLOCK) == 0;
}

void limit_sending(int socket, std::int64_t ms) {
  const timeval limit{ms / 1000, ms % 1000 * 1000};
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

} // namespace

void limit_connects(std::chrono::milliseconds limit) {
  limit_ms = limit.count();
}

} // namespace troupe

/// Stands before the system's own function of that name.
extern "C" int connect(int socket, const sockaddr* to, socklen_t size) {
  using function = int (*)(int, const sockaddr*, socklen_t);
  static const auto real = reinterpret_cast<function>(dlsym(RTLD_NEXT, "connect"));
  if (!troupe::is_limited(socket, to))
    return real(socket, to, size);
  troupe::limit_sending(socket, troupe::limit_ms);
  const int result = real(socket, to, size);
  const int error = errno;
  troupe::limit_sending(socket, 0);
  errno = result != 0 && error == EINPROGRESS ? ETIMEDOUT : error;
  return result;
}
