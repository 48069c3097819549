#include "nodes/agent/hosted/keeper_watch.hpp"
#include "nodes/agent/hosted/live_watch.hpp"
#include "nodes/agent/hosted/node_roster.hpp"
#include "nodes/agent/hosted/place_keeper.hpp"
#include "nodes/agent/hosted/policy_carrier.hpp"
#include "nodes/agent/hosted/resident_actors.hpp"
#include "nodes/agent/places_file.hpp"
#include "nodes/hosted/hosted_node.hpp"
#include "nodes/registry/identity_text.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

node_entry listed_node(std::uint32_t index, bool is_host) {
  node_entry e;
  e.who = node_named("n" + std::to_string(index));
  if (is_host)
    e.who.machine.capacity = {1'000, 1'024, 0, 1};
  e.index = index;
  e.machines = {index, 1};
  e.present = true;
  return e;
}

caf::strong_actor_ptr some_actor(caf::actor_system& system) {
  return caf::actor_cast<caf::strong_actor_ptr>(
    system.spawn([]() -> caf::behavior { return {[](int i) { return i; }}; }));
}

} // namespace

TEST_CASE("the roster tells hosts that may get tasks from others") {
  node_roster roster;
  auto left = listed_node(2, true);
  left.present = false;
  auto draining = listed_node(3, true);
  draining.draining = true;
  roster.learn({listed_node(1, true), left, draining, listed_node(4, false)});
  CHECK(roster.machine_nodes() == std::vector<std::uint32_t>{1, 3, 4});
  CHECK(roster.machines().size() == 1);
  REQUIRE(roster.hosts().size() == 3);
  CHECK(!roster.hosts()[1].present);
  REQUIRE(roster.find(3));
  CHECK(roster.find(3)->draining);
  CHECK(roster.find(5) == nullptr);
  roster.learn({});
  CHECK(roster.machine_nodes().empty());
}

TEST_CASE("another keeper of the jobs is noticed once") {
  keeper_watch watch;
  CHECK(!watch.has_changed(4)); // the first one
  CHECK(!watch.has_changed(4));
  CHECK(watch.has_changed(6));
  CHECK(!watch.has_changed(6));
  CHECK(!watch.has_changed(5)); // an old one
  CHECK(!watch.has_changed(6));
}

TEST_CASE("members are asked for details while somebody watches") {
  const auto board = std::make_shared<live_board>(false);
  live_watch watch{board};
  watch.look();
  CHECK(!board->watched());
  watch.read({});
  watch.look();
  CHECK(board->watched());
}

TEST_CASE("actors that live here are found until they move") {
  hosted_node at;
  resident_actors here{at.node};
  const auto owner = member_address(role::owner, 1, 5);
  const auto scheduler = member_address(role::scheduler, 2, 6);
  const address standby{party::standby, role::owner, 9, 0};
  for (const auto& who : {owner, scheduler, standby})
    here.put(who, some_actor(at.system));
  CHECK(at.changes == 3);
  CHECK(at.node.mail->knows(owner));
  CHECK(here.members().size() == 2);
  CHECK(here.members(role::scheduler).size() == 1);
  CHECK(here.count(role::owner) == 2); // with the standby
  here.remove(owner);
  CHECK(!at.node.mail->knows(owner));
  CHECK(here.end(party::standby, [](role) { return true; }) == std::vector{standby});
  CHECK(here.end(party::member, [](role r) { return r == role::owner; }).empty());
  CHECK(here.count(role::owner) == 0);
  CHECK(here.end(party::member, [](role) { return true; }) == std::vector{scheduler});
  CHECK(here.all().empty());
}

TEST_CASE("a place is written down by those that have one") {
  node_list nodes;
  nodes.origin = 77;
  nodes.nodes = {listed_node(4, true)};
  hosted_node at;
  place_keeper keeper{at.node};
  keeper.keep(nodes, {});
  CHECK(read_places(at.node.state).empty());
  keeper.keep(nodes, {4, 1});
  const auto known = read_identity(at.system, read_places(at.node.state));
  REQUIRE(known);
  CHECK(known->origin == 77);
  CHECK(known->machines == machine_numbers{4, 1});
  CHECK(known->known.empty()); // only the master's node knows the others
}

TEST_CASE("the node with the master writes all places down") {
  auto who = node_named("m");
  who.roles.master = true;
  hosted_node at{who};
  node_list nodes;
  nodes.origin = 77;
  nodes.nodes = {listed_node(4, true)};
  place_keeper{at.node}.keep(nodes, {});
  const auto known = read_identity(at.system, read_places(at.node.state));
  REQUIRE(known);
  REQUIRE(known->known.size() == 1);
  CHECK(known->known[0].name == "n4");
}

TEST_CASE("a scheduler keeps its policy if no plugin here has the ordered one") {
  hosted_node at;
  joined_cluster cluster{at.system, at.node.who};
  cluster.welcome({1, {}, settings_text(hosted_settings), 0});
  node_list nodes;
  nodes.origin = utc_ns();
  cluster.learn(nodes);
  resident_actors here{at.node};
  here.put(member_address(role::scheduler, 2, 1), some_actor(at.system));
  policy_carrier carrier{at.node, cluster};
  policy_order order;
  order.at = instant{5};
  order.schedulers = {2};
  order.to.policy = "unheard-of";
  carrier.learn({order});
  carrier.tell_all(here);
  const auto states = carrier.states(here);
  REQUIRE(states.size() == 1);
  CHECK(states[0].at == instant{5});
  CHECK(states[0].why_not == "no plugin on node n1 has policy unheard-of");
}
