#include "failures/reserved_port.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cstddef>
#include <fstream>
#include <netinet/in.h>
#include <random>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace troupe::trials {

namespace {

constexpr std::uint16_t first_port = 10'000;
constexpr int tries = 1'000;

/// The first port that the kernel chooses for sockets that name none.
std::uint16_t first_ephemeral_port() {
  std::ifstream in{"/proc/sys/net/ipv4/ip_local_port_range"};
  std::uint16_t first = 0;
  return in >> first && first > first_port ? first : 32'768;
}

bool is_free(std::uint16_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool bound = bind(fd, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0;
  close(fd);
  return bound;
}

/// Returns a socket with an abstract name, which ends with this process, or -1 if it is taken.
int lock_of(std::uint16_t port) {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto name = "troupe-port-" + std::to_string(port);
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  std::ranges::copy(name, at.sun_path + 1);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (bind(fd, reinterpret_cast<sockaddr*>(&at), size) == 0)
    return fd;
  close(fd);
  return -1;
}

} // namespace

reserved_port::reserved_port() {
  std::random_device random;
  std::uniform_int_distribution<int> draw{first_port, first_ephemeral_port() - 1};
  for (int n = 0; n < tries; ++n) {
    number_ = static_cast<std::uint16_t>(draw(random));
    lock_ = lock_of(number_);
    if (lock_ < 0)
      continue;
    if (is_free(number_))
      return;
    close(lock_);
  }
  throw std::runtime_error("no port of loopback is free");
}

reserved_port::~reserved_port() {
  if (lock_ >= 0)
    close(lock_);
}

reserved_port::reserved_port(reserved_port&& other) noexcept
  : lock_(std::exchange(other.lock_, -1)), number_(other.number_) {}

} // namespace troupe::trials
