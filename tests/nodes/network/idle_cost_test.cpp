#include "nodes/network/process_cpu.hpp"
#include "nodes/network/rogue_client.hpp"
#include "nodes/running_cluster.hpp"

#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// How a handshake begins.
const std::string half_a_hello{"\x16\x03\x01\x02\x00\x01", 6};

/// A node with the master that waits for others.
struct idle_master {
  scratch here;
  std::optional<program> node;
  std::string at;

  idle_master() {
    here.write("small.toml", small_settings);
    REQUIRE(here.run({"certs", "init"}).code == 0);
    REQUIRE(here.run({"certs", "issue", "m", "--roles", "master"}).code == 0);
    node.emplace(here.path(),
                 std::vector<std::string>{"node", "--name", "m", "--roles", "master", "--config",
                                          "small.toml", "--certs", "certs", "--state", "m"});
    REQUIRE(node->wait_for("machines are missing"));
    at = read_file(here.path() / "m" / "address");
    at.erase(at.find_last_not_of('\n') + 1);
  }

  double cpu() const { return cpu_seconds_of(node->pid()); }
};

/// Listens on loopback, and never answers.
struct mute_listener {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string at;

  mute_listener() {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof to;
    REQUIRE(bind(fd, reinterpret_cast<sockaddr*>(&to), size) == 0);
    REQUIRE(listen(fd, 100) == 0);
    REQUIRE(getsockname(fd, reinterpret_cast<sockaddr*>(&to), &size) == 0);
    at = "127.0.0.1:" + std::to_string(ntohs(to.sin_port));
  }
  mute_listener(const mute_listener&) = delete;
  mute_listener& operator=(const mute_listener&) = delete;
  ~mute_listener() { close(fd); }
};

} // namespace

TEST_CASE("a connection on which nothing is said costs no processor time") {
  idle_master m;
  const auto before = m.cpu();
  const rogue_client silent{m.at};
  CHECK(silent.is_closed(20s));
  const auto used = m.cpu() - before;
  MESSAGE("one silent connection until it is closed: " << used << " CPU s");
  CHECK(used < 0.5 * cpu_allowance);
  check_ends_well(*m.node, SIGTERM);
}

TEST_CASE("five hundred half-open connections are closed and cost next to nothing") {
  idle_master m;
  const auto before = m.cpu();
  const auto start = std::chrono::steady_clock::now();
  std::vector<rogue_client> crowd;
  for (int n = 0; n < 500; ++n) {
    crowd.emplace_back(m.at);
    if (n % 2 == 0)
      crowd.back().send(half_a_hello);
  }
  for (const auto& client : crowd)
    CHECK(client.is_closed(20s));
  CHECK(std::chrono::steady_clock::now() - start < 20s);
  const auto used = m.cpu() - before;
  MESSAGE("500 half-open connections until they are closed: " << used << " CPU s");
  CHECK(used < 0.2 * cpu_allowance);
  check_ends_well(*m.node, SIGTERM);
}

TEST_CASE("a frozen peer costs those who connect to it no processor time") {
  const mute_listener frozen;
  const scratch here;
  REQUIRE(here.run({"certs", "init"}).code == 0);
  REQUIRE(here.run({"certs", "issue", "b", "--roles", "machine"}).code == 0);
  program node{here.path(),
               {"node", "--name", "b", "--roles", "machine", "--machines", "1", "--join", frozen.at,
                "--certs", "certs", "--state", "b"}};
  REQUIRE(node.wait_for("b waits"));
  const auto before = cpu_seconds_of(node.pid());
  REQUIRE(node.wait_for("it does not answer within 5000 ms; it may have been stopped"));
  const auto used = cpu_seconds_of(node.pid()) - before;
  MESSAGE("one attempt to connect to a frozen peer: " << used << " CPU s");
  CHECK(used < 0.5 * cpu_allowance);
  check_ends_well(node, SIGTERM);
}
