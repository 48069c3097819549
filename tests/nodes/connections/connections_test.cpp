#include "nodes/agent/node_system.hpp"
#include "nodes/connections/node_network.hpp"
#include "nodes/connections/ways.hpp"
#include "nodes/fixture.hpp"
#include "nodes/registry/error_text.hpp"
#include "security/authority.hpp"
#include "security/scratch_directory.hpp"
#include "support/contains.hpp"

#include <caf/io/all.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <future>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

constexpr auto answer_patience = 60s;

struct net_config : caf::actor_system_config {
  explicit net_config(std::chrono::milliseconds heartbeat) {
    configure_node_system(*this, heartbeat, 10s);
  }
};

/// An actor system with connections.
struct side {
  net_config config;
  io_thread thread;
  caf::actor_system system{config};
  node_network network;
  caf::scoped_actor self{system};

  explicit side(const network_options& options, std::chrono::milliseconds heartbeat = 200ms)
    : config(heartbeat), network(system, thread, options) {}

  /// Returns an actor that adds the number of letters x in a text to a number.
  std::pair<caf::actor, std::uint16_t> publish_adder() {
    const auto adder = system.spawn([](caf::event_based_actor*) -> caf::behavior {
      return {[](std::uint64_t n, const std::string& text) {
        return n + static_cast<std::uint64_t>(std::ranges::count(text, 'x'));
      }};
    });
    return {adder, network.publish(adder, "127.0.0.1", 0)};
  }

  caf::actor connect(std::uint16_t port, std::string& why) {
    caf::actor found;
    self->request(network.ways(), answer_patience, caf::connect_atom_v, "127.0.0.1", port)
      .receive([&](const caf::node_id&, const caf::strong_actor_ptr& there,
                   const std::set<std::string>&) { found = caf::actor_cast<caf::actor>(there); },
               [&](const caf::error& e) { why = error_text(system, e); });
    return found;
  }
};

void check_talk(const network_options& one, const network_options& other) {
  side a{one};
  side b{other};
  const auto [adder, port] = b.publish_adder();
  std::string why;
  const auto far = a.connect(port, why);
  CAPTURE(why);
  REQUIRE(far);
  const auto peer = node_network::peer_of(*a.network.context(), far);
  REQUIRE(peer);
  CHECK(peer->name == other.name);
  CHECK(peer->roles == other.roles);
  std::uint64_t sum = 0;
  const auto ask = [&](std::size_t length) {
    return a.self->request(far, answer_patience, std::uint64_t{7}, std::string(length, 'x'));
  };
  const auto hear = [&](auto&& asked) {
    asked.receive([&](std::uint64_t n) { sum += n; },
                  [&](const caf::error& e) { FAIL(error_text(a.system, e)); });
  };
  for (const std::size_t length : {0, 1, 1000, 3'000'000})
    hear(ask(length));
  CHECK(sum == 4 * 7 + 3'001'001);
  // Short messages beside long ones, which CAF gets when they are complete.
  std::vector<decltype(ask(0))> asked;
  for (const std::size_t length : {1, 3'000'000, 10, 300'000, 400'000, 2, 260'000, 1'000'000, 3})
    asked.push_back(ask(length));
  for (auto& one : asked)
    hear(one);
  CHECK(sum == 13 * 7 + 3'001'001 + 4'960'016);
  a.self->monitor(far);
  caf::anon_send_exit(adder, caf::exit_reason::user_shutdown);
  bool is_down = false;
  a.self->receive([&](const caf::down_msg&) { is_down = true; },
                  caf::after(answer_patience) >> [] {});
  CHECK(is_down);
}

struct two_authorities {
  scratch_directory here;
  authority ours = authority::create(here / "ours", std::chrono::system_clock::now());
  authority others = authority::create(here / "others", std::chrono::system_clock::now());

  static network_options issue(const authority& by, const certified_identity& who) {
    const auto made = by.issue(who, std::chrono::days{10}, std::chrono::system_clock::now());
    return {.name = who.name,
            .roles = who.roles,
            .files = tls_files{made.certificate, made.key, by.files().certificate}};
  }

  static std::string why_not_connected(const network_options& from, const network_options& to) {
    side a{from};
    side b{to};
    const auto [adder, port] = b.publish_adder();
    std::string why;
    CHECK_FALSE(a.connect(port, why));
    caf::anon_send_exit(adder, caf::exit_reason::user_shutdown);
    return why;
  }
};

/// Listens on loopback and accepts nobody: Linux swallows what comes once its queue is full.
struct listener {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int waiting = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};

  explicit listener(bool is_full) {
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* address = reinterpret_cast<sockaddr*>(&at);
    socklen_t size = sizeof at;
    REQUIRE(bind(fd, address, size) == 0);
    REQUIRE(listen(fd, is_full ? 0 : 5) == 0);
    REQUIRE(getsockname(fd, address, &size) == 0);
    if (is_full)
      REQUIRE(connect(waiting, address, size) == 0);
  }
  listener(const listener&) = delete;
  listener& operator=(const listener&) = delete;
  ~listener() {
    close(waiting);
    close(fd);
  }

  std::uint16_t port() const { return ntohs(at.sin_port); }
};

} // namespace

TEST_CASE("heartbeats before the first message do not end a new connection") {
  side to{{.name = "b"}};
  side from{{.name = "a"}, 1ms};
  const auto [adder, port] = to.publish_adder();
  std::promise<void> go_on;
  loop_of(to.system).post([gate = go_on.get_future().share()] { gate.wait(); });
  auto asked = from.self->request(from.network.ways(), answer_patience, caf::connect_atom_v,
                                  "127.0.0.1", port);
  caf::scoped_actor waits{from.system};
  waits->delayed_send(waits, 50ms, caf::ok_atom_v);
  waits->receive([](caf::ok_atom) {});
  go_on.set_value();
  std::string why;
  asked.receive([&](const caf::node_id&, const caf::strong_actor_ptr& there,
                    const std::set<std::string>&) { CHECK(there); },
                [&](const caf::error& e) { why = error_text(from.system, e); });
  CHECK(why == "");
  caf::anon_send_exit(adder, caf::exit_reason::user_shutdown);
}

TEST_CASE("actors talk over connections that are not encrypted") {
  check_talk({.name = "a"}, {.name = "b", .roles = {"machine"}});
}

TEST_CASE_FIXTURE(two_authorities, "actors talk over TLS, and each side knows who the other is") {
  check_talk(issue(ours, {"client"}), issue(ours, {"b", {"machine", "owner"}}));
}

TEST_CASE_FIXTURE(two_authorities, "a certificate that this side refuses is told of") {
  CHECK(contains(why_not_connected(issue(ours, {"client"}), issue(others, {"a"})),
                 "its certificate is refused by this side"));
}

TEST_CASE_FIXTURE(two_authorities, "a certificate that the other side refuses is told of") {
  // This side trusts the other one, which does not trust this side.
  auto client = issue(ours, {"client"});
  put(here / "both.crt", get(client.files->authority) + get(others.files().certificate));
  client.files->authority = here / "both.crt";
  CHECK(contains(why_not_connected(client, issue(others, {"a"})), "it refuses the certificate"));
}

TEST_CASE_FIXTURE(two_authorities, "who claims another name is told why that is refused") {
  auto liar = issue(ours, {"a", {"machine"}});
  liar.name = "b";
  CHECK(why_not_connected(liar, issue(ours, {"m", {"master"}})) ==
        "it refuses this process: the certificate is that of a and not of b");
  liar.name = "a";
  liar.roles = {"master"};
  CHECK(contains(why_not_connected(liar, issue(ours, {"n", {"master"}})),
                 "it refuses this process: the certificate of a was not issued for master"));
  CHECK(contains(why_not_connected(issue(ours, {"client"}), liar),
                 "it is refused by this side: the certificate of a was not issued for master"));
}

TEST_CASE_FIXTURE(two_authorities, "who speaks no TLS is told of") {
  CHECK(contains(why_not_connected(issue(ours, {"client"}), {.name = "plain"}), "TLS fails"));
}

TEST_CASE("a connection that nobody answers is given up") {
  const listener full{true};
  network_options options{.name = "a"};
  options.limits.connect = 100ms;
  side a{options};
  std::string why;
  const auto start = std::chrono::steady_clock::now();
  CHECK_FALSE(a.connect(full.port(), why));
  CHECK(why == "no answer within 100 ms");
  CHECK(std::chrono::steady_clock::now() - start >= 100ms);
}

TEST_CASE("nobody and those who say nothing are told apart") {
  network_options options{.name = "a"};
  options.limits.silence = 50ms;
  side a{options};
  std::string why;
  std::uint16_t port = 0;
  {
    const listener mute{false};
    port = mute.port();
    CHECK_FALSE(a.connect(port, why));
    CHECK(why == "it does not answer within 50 ms; it may have been stopped");
  }
  CHECK_FALSE(a.connect(port, why));
  CHECK(why == "nothing listens there: Connection refused");
}

TEST_CASE("a port that is taken is not listened on") {
  side a{{.name = "a"}};
  const listener taken{false};
  CHECK_THROWS_AS(a.network.publish(a.network.ways(), "127.0.0.1", taken.port()),
                  boost::system::system_error);
}
