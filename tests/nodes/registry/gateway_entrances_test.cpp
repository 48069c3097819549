#include "nodes/fixture.hpp"
#include "nodes/registry/gateway.hpp"
#include "nodes/registry/identity_text.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <set>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint16_t nowhere = 1;
constexpr std::uint16_t at_first = 2;
constexpr std::uint16_t at_second = 3;

/// The gateway of a node that knows several addresses of masters, and two that stand for those.
struct node_with_entrances : test::local_system {
  caf::scoped_actor first{system};
  caf::scoped_actor second{system};
  std::atomic<std::uint32_t> welcomed_as{0};
  std::atomic<std::uint32_t> tries_nowhere{0};
  std::chrono::milliseconds pause{5}; ///< before it tries again
  caf::actor way;

  void start(const std::vector<std::uint16_t>& ports) {
    gateway_config with;
    with.who.name = "b";
    with.who.host = "127.0.0.1";
    with.who.roles = {false, false, 0, 0, 1};
    for (const auto port : ports)
      with.join.push_back({"127.0.0.1", port});
    with.mail = std::make_shared<message_router>(system);
    with.first_retry = with.last_retry = pause;
    with.welcome = [this](const node_welcome& as) { welcomed_as = as.index; };
    with.learn = [](const node_list&) {};
    with.report = [] { return node_report{}; };
    with.fail = [](const std::string&) {};
    with.alone = [] {};
    with.ways = system.spawn([this, masters =
                                      std::map<std::uint16_t, caf::actor>{
                                        {at_first, caf::actor_cast<caf::actor>(first)},
                                        {at_second, caf::actor_cast<caf::actor>(second)}}](
                               caf::event_based_actor*) -> caf::behavior {
      return {[this, masters](caf::connect_atom, const std::string&, std::uint16_t port)
                -> caf::result<caf::node_id, caf::strong_actor_ptr, std::set<std::string>> {
        tries_nowhere += port == nowhere ? 1 : 0;
        const auto found = masters.find(port);
        if (found == masters.end())
          return caf::make_error(caf::sec::cannot_connect_to_node);
        return {caf::node_id{}, caf::actor_cast<caf::strong_actor_ptr>(found->second),
                std::set<std::string>{}};
      }};
    });
    ways = with.ways;
    way = system.spawn(gateway, std::move(with));
    caf::anon_send(way, start_atom_v, std::uint16_t{7400});
  }

  ~node_with_entrances() {
    caf::scoped_actor self{system};
    for (const auto& one : {way, ways}) {
      caf::anon_send_exit(one, caf::exit_reason::user_shutdown);
      self->wait_for(one);
    }
  }

  /// Waits for the node's greeting.
  static bool is_greeted(caf::scoped_actor& master) {
    bool greeted = false;
    master->receive([&](const node_greeting&) { greeted = true; },
                    caf::after(std::chrono::seconds{60}) >> [] {});
    return greeted;
  }

  /// A master greets, and welcomes the node with that number.
  void greet(caf::scoped_actor& master, const std::string& name, incarnation_id term,
             std::uint32_t number) {
    node_identity who;
    who.name = name;
    who.host = "127.0.0.1";
    who.boot = term;
    who.roles.master = true;
    who.term = term;
    master->send(way, node_greeting{protocol_version, "1", write_identity(system, who)});
    master->send(way, node_welcome{number, {}, "", 0});
    settle(master);
  }

  /// Returns when the node has handled all earlier messages.
  void settle(caf::scoped_actor& master) {
    master->request(way, std::chrono::seconds{60}, bye_atom_v)
      .receive([](caf::ok_atom) {}, [](const caf::error&) {});
  }

  caf::actor ways;
};

} // namespace

TEST_CASE_FIXTURE(node_with_entrances, "a node joins where the master is, of several addresses") {
  start({nowhere, at_second});
  REQUIRE(is_greeted(second));
  greet(second, "s", 4, 7);
  CHECK(welcomed_as == 7);
}

TEST_CASE_FIXTURE(node_with_entrances, "a node follows the master of a later term, and no other") {
  start({at_first, at_second});
  REQUIRE(is_greeted(first));
  REQUIRE(is_greeted(second));
  greet(first, "f", 4, 7);
  CHECK(welcomed_as == 7);
  greet(second, "s", 4, 8); // there cannot be two
  CHECK(welcomed_as == 7);
  greet(second, "s", 5, 9);
  CHECK(welcomed_as == 9);
  greet(first, "f", 4, 10); // stood still, and does not know it yet
  CHECK(welcomed_as == 9);
}

TEST_CASE("a node looks for the next master when the connection to the last one is down") {
  node_with_entrances node;
  node.start({at_first, at_second});
  REQUIRE(node_with_entrances::is_greeted(node.first));
  REQUIRE(node_with_entrances::is_greeted(node.second));
  node.greet(node.first, "f", 4, 7);
  CHECK(node.welcomed_as == 7);
  caf::anon_send(node.way, caf::down_msg{node.first.address(), caf::exit_reason::kill});
  REQUIRE(node_with_entrances::is_greeted(node.second));
  node.greet(node.second, "s", 5, 8);
  CHECK(node.welcomed_as == 8);
}

TEST_CASE_FIXTURE(node_with_entrances,
                  "lists of nodes do not add to the attempts to reach one that is away") {
  pause = std::chrono::hours{1};
  start({at_first});
  REQUIRE(is_greeted(first));
  greet(first, "f", 4, 7);
  node_list list;
  list.nodes.emplace_back();
  list.nodes[0].who.name = "a";
  list.nodes[0].who.host = "127.0.0.1";
  list.nodes[0].who.port = nowhere;
  for (int i = 0; i < 5; ++i) {
    first->send(way, list);
    settle(first);
    first->request(ways, std::chrono::seconds{60}, caf::connect_atom_v, "", at_second)
      .receive(
        [](const caf::node_id&, const caf::strong_actor_ptr&, const std::set<std::string>&) {},
        [](const caf::error&) {});
    settle(first);
  }
  CHECK(tries_nowhere == 1);
}
