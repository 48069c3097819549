#include "nodes/connect_limit.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <chrono>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

using namespace std::chrono_literals;

namespace {

struct tcp_socket {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  tcp_socket() = default;
  tcp_socket(const tcp_socket&) = delete;
  tcp_socket& operator=(const tcp_socket&) = delete;
  ~tcp_socket() { close(fd); }
};

/// Listens on loopback and accepts nobody, so that Linux swallows what comes once its queue is
/// full.
struct full_listener {
  tcp_socket listens;
  sockaddr_in at{};
  tcp_socket waiting;

  full_listener() {
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* address = reinterpret_cast<sockaddr*>(&at);
    socklen_t size = sizeof at;
    REQUIRE(bind(listens.fd, address, size) == 0);
    REQUIRE(listen(listens.fd, 0) == 0);
    REQUIRE(getsockname(listens.fd, address, &size) == 0);
    REQUIRE(connect(waiting.fd, address, size) == 0);
  }
};

/// How it ends, and after how long.
std::pair<int, std::chrono::steady_clock::duration> try_connect(const sockaddr_in& to) {
  const tcp_socket from;
  const auto start = std::chrono::steady_clock::now();
  const int result = connect(from.fd, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  return {result == 0 ? 0 : errno, std::chrono::steady_clock::now() - start};
}

struct limited {
  explicit limited(std::chrono::milliseconds limit) { troupe::limit_connects(limit); }
  limited(const limited&) = delete;
  limited& operator=(const limited&) = delete;
  ~limited() { troupe::limit_connects(0ms); }
};

} // namespace

TEST_CASE("a connection that nobody answers is given up") {
  const full_listener listener;
  const limited for_now{100ms};
  const auto [error, after] = try_connect(listener.at);
  CHECK(error == ETIMEDOUT);
  CHECK(after >= 100ms);
  CHECK(after < 60s);
}

TEST_CASE("other connections are what they were") {
  const tcp_socket listens;
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  REQUIRE(bind(listens.fd, reinterpret_cast<sockaddr*>(&at), size) == 0);
  REQUIRE(getsockname(listens.fd, reinterpret_cast<sockaddr*>(&at), &size) == 0);
  const limited for_now{100ms};
  CHECK(try_connect(at).first == ECONNREFUSED);
  REQUIRE(listen(listens.fd, 5) == 0);
  const tcp_socket from;
  REQUIRE(connect(from.fd, reinterpret_cast<sockaddr*>(&at), size) == 0);
  timeval left{9, 9};
  socklen_t length = sizeof left;
  REQUIRE(getsockopt(from.fd, SOL_SOCKET, SO_SNDTIMEO, &left, &length) == 0);
  CHECK(left.tv_sec == 0);
  CHECK(left.tv_usec == 0);
}
