#include "report/metrics/metrics_text.hpp"
#include "report/metrics/watched_state.hpp"

#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace troupe;
using namespace troupe::test;

namespace {

struct loopback_socket {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  loopback_socket() = default;
  explicit loopback_socket(int of) : fd(of) {}
  loopback_socket(const loopback_socket&) = delete;
  loopback_socket& operator=(const loopback_socket&) = delete;
  ~loopback_socket() { close(fd); }

  static sockaddr_in at(std::uint16_t port) {
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_port = htons(port);
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return a;
  }

  /// Binds to a free port and returns it.
  std::uint16_t bind_free() {
    auto a = at(0);
    socklen_t size = sizeof a;
    REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&a), size) == 0);
    getsockname(fd, reinterpret_cast<sockaddr*>(&a), &size);
    return ntohs(a.sin_port);
  }
};

/// Returns what a server on loopback answers to a GET; empty if it does not.
std::string get(std::uint16_t port, const std::string& target) {
  loopback_socket s;
  auto a = loopback_socket::at(port);
  if (connect(s.fd, reinterpret_cast<sockaddr*>(&a), sizeof a) != 0)
    return "";
  const auto request = "GET " + target + " HTTP/1.0\r\nHost: localhost\r\n\r\n";
  if (write(s.fd, request.data(), request.size()) < 0)
    return "";
  std::string text;
  char part[4096];
  for (ssize_t n = 0; (n = read(s.fd, part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(n));
  return text;
}

/// A server of the metrics of one state.
class metrics_server {
public:
  explicit metrics_server(std::string text) : text_(std::move(text)) {
    port = listener_.bind_free();
    REQUIRE(listen(listener_.fd, 8) == 0);
    serving_ = std::jthread{[this](const std::stop_token& end) { serve(end); }};
  }

  std::uint16_t port = 0;

private:
  void serve(const std::stop_token& end) {
    while (!end.stop_requested()) {
      pollfd ready{listener_.fd, POLLIN, 0};
      if (poll(&ready, 1, 100) <= 0)
        continue;
      const loopback_socket peer{accept(listener_.fd, nullptr, nullptr)};
      char part[4096];
      if (read(peer.fd, part, sizeof part) <= 0)
        continue;
      const auto answer = std::string{"HTTP/1.1 200 OK\r\nContent-Type: "} + metrics_media_type +
                          "\r\nContent-Length: " + std::to_string(text_.size()) +
                          "\r\nConnection: close\r\n\r\n" + text_;
      if (write(peer.fd, answer.data(), answer.size()) < 0)
        continue;
    }
  }

  std::string text_;
  loopback_socket listener_;
  std::jthread serving_;
};

/// Debian's prometheus, which asks a server every 200 ms, in a directory of its own.
class prometheus_process {
public:
  explicit prometheus_process(std::uint16_t target)
    : directory_(std::filesystem::temp_directory_path() /
                 ("troupe-scrape-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(directory_);
    std::ofstream{directory_ / "prometheus.yml"}
      << "scrape_configs:\n- job_name: troupe\n  scrape_interval: 200ms\n  scrape_timeout: 200ms\n"
         "  static_configs:\n  - targets: ['127.0.0.1:"
      << target << "']\n";
    {
      loopback_socket free;
      port = free.bind_free();
    }
    pid_ = fork();
    if (pid_ == 0) {
      const auto log = (directory_ / "log").string();
      if (freopen(log.c_str(), "w", stderr) == nullptr)
        _exit(1);
      const auto config = "--config.file=" + (directory_ / "prometheus.yml").string();
      const auto data = "--storage.tsdb.path=" + (directory_ / "data").string();
      const auto listen = "--web.listen-address=127.0.0.1:" + std::to_string(port);
      execlp("prometheus", "prometheus", config.c_str(), data.c_str(), listen.c_str(), nullptr);
      _exit(127);
    }
  }
  prometheus_process(const prometheus_process&) = delete;
  prometheus_process& operator=(const prometheus_process&) = delete;
  ~prometheus_process() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    std::filesystem::remove_all(directory_);
  }

  std::string log() const {
    std::ifstream in{directory_ / "log"};
    return {std::istreambuf_iterator<char>{in}, {}};
  }

  std::uint16_t port = 0;

private:
  std::filesystem::path directory_;
  pid_t pid_ = -1;
};

} // namespace

TEST_CASE("Debian's prometheus scrapes the metrics") {
  if (std::system("command -v prometheus > /dev/null") != 0) {
    MESSAGE("skipped: prometheus is not installed");
    return;
  }
  const metrics_server server{metrics_text(watched_state("real"))};
  const prometheus_process prometheus{server.port};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  std::string answer;
  while (std::chrono::steady_clock::now() < deadline) {
    answer = get(prometheus.port, "/api/v1/query?query=troupe_queue_tasks");
    if (answer.find("\"scheduler\":\"1\"") != std::string::npos)
      break;
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
  }
  CAPTURE(prometheus.log());
  CAPTURE(answer);
  CHECK(answer.find("\"scheduler\":\"1\"") != std::string::npos);
  CHECK(answer.find("\"20\"") != std::string::npos);
  const auto quantile =
    get(prometheus.port, "/api/v1/query?query=histogram_quantile(0.5,"
                         "troupe_scheduling_delay_seconds_bucket%7Bgroup=%22a%22%7D)");
  CAPTURE(quantile);
  CHECK(quantile.find("\"status\":\"success\"") != std::string::npos);
  CHECK(quantile.find("0.75") != std::string::npos); // the middle of 0.5 .. 1
}
