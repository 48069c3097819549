#include "nodes/agent/cluster_events.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

node_entry entry_of(const std::string& name, std::uint32_t machines, bool present = true,
                    std::uint64_t boot = 1) {
  node_entry e;
  e.who.name = name;
  e.who.boot = boot;
  e.machines.count = machines;
  e.present = present;
  return e;
}

member_home home_of(role what, std::uint32_t number, incarnation_id incarnation,
                    const std::string& node) {
  return {{what, number, incarnation}, node};
}

std::vector<std::string> texts_of(const cluster_events& of) {
  std::vector<std::string> all;
  for (const auto& e : of.events())
    all.push_back(std::to_string(e.at / 1s) + " " + to_string(e.event) + " " + e.member + ": " +
                  e.detail);
  return all;
}

} // namespace

TEST_CASE("a cluster as it begins has no events") {
  cluster_events events;
  events.look(1s, {entry_of("a", 0), entry_of("b", 5)}, {home_of(role::owner, 0, 3, "b")});
  events.look(2s, {entry_of("a", 0), entry_of("b", 5)}, {home_of(role::owner, 0, 3, "b")});
  CHECK(events.events().empty());
}

TEST_CASE("a lost node is named with what was on it, and so is who took over") {
  cluster_events events;
  const auto a = entry_of("a", 0);
  events.look(1s, {a, entry_of("b", 500)},
              {home_of(role::owner, 0, 1, "b"), home_of(role::scheduler, 2, 1, "b")});
  events.look(2s, {a, entry_of("b", 500, false)},
              {home_of(role::owner, 0, 1, "b"), home_of(role::scheduler, 2, 1, "b")});
  events.look(3s, {a, entry_of("b", 500, false)},
              {home_of(role::owner, 0, 2, "a"), home_of(role::scheduler, 2, 1, "b")});
  events.look(4s, {a, entry_of("b", 500)},
              {home_of(role::owner, 0, 2, "a"), home_of(role::scheduler, 2, 2, "b")});
  CHECK(texts_of(events) ==
        std::vector<std::string>{"2 node lost b: with 500 machines, owner.0, scheduler.2",
                                 "3 takeover owner.0: a after b, as incarnation 2",
                                 "4 node back b: its connection is up again",
                                 "4 takeover scheduler.2: b itself, as incarnation 2"});
}

TEST_CASE("a node that was restarted between two looks was lost and is back") {
  cluster_events events;
  events.look(1s, {entry_of("b", 1)}, {});
  events.look(2s, {entry_of("b", 1, true, 2)}, {});
  CHECK(texts_of(events) == std::vector<std::string>{"2 node lost b: with 1 machine",
                                                     "2 node back b: as a new process"});
}

TEST_CASE("nodes that join, are drained and leave are noted") {
  cluster_events events;
  events.look(1s, {entry_of("a", 0)}, {});
  auto drained = entry_of("c", 0);
  events.look(2s, {entry_of("a", 0), drained}, {});
  drained.draining = true;
  events.look(3s, {entry_of("a", 0), drained}, {});
  events.look(4s, {entry_of("a", 0)}, {});
  CHECK(texts_of(events) ==
        std::vector<std::string>{"2 node joined c: a new node",
                                 "3 node draining c: its members move to other nodes",
                                 "4 node left c: it was shut down"});
}

TEST_CASE("of many members on a lost node some are named, and an old incarnation changes nothing") {
  cluster_events events;
  std::vector<member_home> homes;
  for (std::uint32_t n = 0; n < 6; ++n)
    homes.push_back(home_of(role::owner, n, 5, "b"));
  events.look(1s, {entry_of("b", 0)}, homes);
  homes[0].who.incarnation = 4;
  events.look(2s, {entry_of("b", 0, false)}, homes);
  REQUIRE(events.events().size() == 1);
  CHECK(events.events()[0].detail == "with owner.0, owner.1, owner.2, owner.3 and 2 more members");
}

TEST_CASE("a member that is heard of later than others has not taken over") {
  cluster_events events;
  events.look(1s, {}, {});
  events.look(2s, {}, {home_of(role::scheduler, 0, 7, "b")});
  CHECK(events.events().empty());
}

TEST_CASE("an ordered policy is an event, with its settings and for how many it is") {
  cluster_events events;
  events.note(policy_event(3s, {9s, {2, 3, 4}, {"adaptive", {"tau=500ms"}}}));
  events.note(policy_event(4s, {10s, {1}, {"random-fit", {}}}));
  CHECK(
    texts_of(events) ==
    std::vector<std::string>{"3 policy scheduler.2: adaptive (tau = 500ms), with 2 more schedulers",
                             "4 policy scheduler.1: random-fit"});
}
