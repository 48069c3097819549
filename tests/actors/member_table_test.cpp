#include "actors/common/member_session.hpp"
#include "actors/master/member_table.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

member_table table_of(incarnation_id master = 1, instant now = 0s) {
  return {{{role::owner, 0, 1}, {role::owner, 1, 1}, {role::scheduler, 0, 1}},
          {master, 1500ms, 10s},
          now};
}

member_heartbeat beat_of(role what, std::uint32_t number, incarnation_id incarnation,
                         instant sent) {
  return {{what, number, incarnation}, false, sent, 1, 1, {}};
}

member_heartbeat standby(role what, std::uint32_t number, instant sent) {
  return {{what, number, 0}, true, sent, 0, 0, {}};
}

/// Everyone but owner 0 shows a sign of life.
void beat_others(member_table& table, instant now) {
  table.hear(beat_of(role::owner, 1, 1, now), now);
  table.hear(beat_of(role::scheduler, 0, 1, now), now);
}

} // namespace

TEST_CASE("a standby of the same role takes the place of a silent member") {
  auto table = table_of();
  table.hear(standby(role::scheduler, 0, 0s), 0s);
  table.hear(standby(role::owner, 7, 1500ms), 1500ms);
  table.hear(beat_of(role::owner, 0, 1, 300ms), 300ms);
  beat_others(table, 1700ms);
  CHECK(table.check(1799ms).empty());
  const auto made = table.check(1800ms);
  REQUIRE(made.size() == 1);
  CHECK(made[0].standby == 7);
  CHECK(made[0].what.as == member_entry{role::owner, 0, 2});
  CHECK(made[0].why == member_table::vacancy::silent);
  CHECK(made[0].what.old_lease == 300ms + 10s - 1800ms);
  CHECK(made[0].what.now.entries[0].incarnation == 2);
  CHECK(table.check(1800ms).empty());
}

TEST_CASE("a standby that has missed heartbeats is not appointed before it is heard again") {
  constexpr std::uint32_t dead_node = 1 << 16;
  constexpr std::uint32_t other_node = 2 << 16;
  auto table = table_of();
  table.hear(beat_of(role::owner, 0, 1, 0s), 0s);
  table.hear(standby(role::owner, dead_node, 400ms), 400ms);
  table.hear(standby(role::owner, dead_node + 1, 400ms), 400ms);
  table.hear(standby(role::owner, other_node, 1200ms), 1200ms);
  beat_others(table, 1400ms);
  auto made = table.check(1500ms);
  REQUIRE(made.size() == 1);
  CHECK(made[0].standby == other_node);
  table.let_go(role::owner, 1);
  CHECK(table.check(1600ms).empty());
  table.hear(standby(role::owner, dead_node, 1700ms), 1700ms);
  made = table.check(1800ms);
  REQUIRE(made.size() == 1);
  CHECK(made[0].standby == dead_node);
}

TEST_CASE("a master that hears nobody replaces nobody") {
  auto table = table_of();
  const auto all_beat = [&](instant sent, instant now) {
    table.hear(beat_of(role::owner, 0, 1, sent), now);
    table.hear(standby(role::owner, 7, sent), now);
    table.hear(standby(role::scheduler, 8, sent), now);
    beat_others(table, now);
  };
  for (const auto sent : {0ms, 500ms, 1000ms})
    all_beat(sent, sent);
  table.hear(standby(role::owner, 7, 1300ms), 1300ms);
  for (auto now = 1250ms; now < 8s; now += 250ms)
    CHECK(table.check(now).empty());
  for (const auto sent : {1500ms, 2000ms, 7500ms})
    all_beat(sent, 8s);
  CHECK(table.check(8s).empty());
}

TEST_CASE("a replaced member is removed and gets no lease") {
  auto table = table_of();
  table.hear(standby(role::owner, 7, 1s), 1s);
  beat_others(table, 1400ms);
  REQUIRE(table.check(1500ms).size() == 1);
  const auto answer = table.hear(beat_of(role::owner, 0, 1, 1600ms), 1600ms);
  CHECK(answer.answers == 0s);
  CHECK(answer.version == table.now().version);
  CHECK(table.hear(beat_of(role::owner, 0, 2, 1600ms), 1600ms).answers == 1600ms);
}

TEST_CASE("an appointment is repeated until the new incarnation sends a heartbeat") {
  auto table = table_of();
  table.hear(standby(role::owner, 7, 1s), 1s);
  beat_others(table, 1400ms);
  REQUIRE(table.check(1500ms).size() == 1);
  table.hear(standby(role::owner, 7, 1600ms), 1600ms);
  REQUIRE(table.appointed(role::owner, 7));
  CHECK(table.appointed(role::owner, 7)->as.incarnation == 2);
  table.hear(beat_of(role::owner, 0, 2, 1700ms), 1700ms);
  CHECK_FALSE(table.appointed(role::owner, 7));
  // Its last words as a standby come late: they do not make it one.
  table.hear(standby(role::owner, 7, 1600ms), 2s);
  beat_others(table, 3300ms);
  CHECK(table.check(3400ms).empty());
}

TEST_CASE("a standby of a node that was started anew fills the place of its earlier process") {
  auto table = table_of();
  table.hear(standby(role::owner, 7, 1500ms), 1500ms);
  beat_others(table, 1700ms);
  REQUIRE(table.check(1800ms).size() == 1);
  table.hear(beat_of(role::owner, 0, 2, 2s), 2s); // the only standby fills the place; its node dies
  table.hear(standby(role::owner, 7, 2100ms), 2100ms);
  beat_others(table, 3s);
  CHECK(table.check(3499ms).empty());
  table.hear(standby(role::owner, 7, 3500ms), 3500ms); // of the next process
  beat_others(table, 3500ms);
  const auto made = table.check(3500ms);
  REQUIRE(made.size() == 1);
  CHECK(made[0].standby == 7);
  CHECK(made[0].what.as == member_entry{role::owner, 0, 3});
}

TEST_CASE("a new master learns all incarnations before it replaces a member") {
  auto table = table_of(3, 10s);
  table.hear(standby(role::owner, 1, 10s), 10s);
  auto beat = beat_of(role::scheduler, 0, 4, 10s);
  CHECK(table.hear(beat, 10s).tell_membership);
  beat.knows = {{role::owner, 0, 9}, {role::owner, 1, 2}, {role::scheduler, 0, 4}};
  CHECK_FALSE(table.hear(beat, 10100ms).tell_membership);
  CHECK(table.now().entries[0].incarnation == 9);
  CHECK(table.now().entries[2].incarnation == 4);
  CHECK(table.check(12900ms).empty());
  table.hear(standby(role::owner, 1, 12900ms), 12900ms);
  const auto made = table.check(13s);
  REQUIRE(made.size() == 1);
  CHECK(made[0].what.as.incarnation == 128); // above all that earlier masters can have given
}

TEST_CASE(
  "a new master fills the place of a scheduler that was let go once it has heard the stores") {
  member_table table{{{role::owner, 0, 1}, {role::scheduler, 0, 1}}, {2, 1500ms, 10s, 1}, 10s};
  table.hear(standby(role::owner, 3, 10s), 10s);
  table.hear(standby(role::scheduler, 3, 10s), 10s);
  table.let_go(role::owner, 0);
  table.let_go(role::scheduler, 0);
  CHECK(table.check(10100ms).empty());
  auto store = beat_of(role::workload, 0, 1, 10200ms);
  store.knows = {{role::scheduler, 0, 5}};
  table.hear(store, 10200ms);
  const auto made = table.check(10200ms);
  REQUIRE(made.size() == 1);
  CHECK(made[0].what.as == member_entry{role::scheduler, 0, 64});
  CHECK(made[0].why == member_table::vacancy::let_go);
  table.hear(standby(role::owner, 3, 13s), 13s);
  CHECK(table.check(13s).size() == 1);
}

TEST_CASE("a member keeps incarnations that a new master does not know") {
  member_session member{{{role::scheduler, 2, 1}, {1, 4, {{role::owner, 0, 3}}}, 500ms, {}, {}}};
  CHECK_FALSE(member.hear(membership{1, 3, {}}));
  CHECK(member.hear(membership{2, 1, {{role::owner, 0, 1}, {role::scheduler, 2, 1}}}));
  CHECK(member.incarnation_of(role::owner, 0) == 3);
  CHECK_FALSE(member.deposed());
  member.hear(heartbeat_reply{2, 1, 0s, true});
  CHECK(member.heartbeat(1s).knows.size() == 2);
  CHECK(member.hear(membership{2, 2, {{role::owner, 0, 3}, {role::scheduler, 2, 2}}}));
  CHECK(member.deposed());
}

TEST_CASE("a new master vouches for schedulers once it has heard every job store") {
  member_table table{{{role::scheduler, 0, 1}}, {2, 1500ms, 10s, 1}, 0s};
  CHECK(table.hear(beat_of(role::scheduler, 0, 1, 5s), 5s).answers == 0s);
  auto store = beat_of(role::workload, 0, 1, 6s);
  store.knows = {{role::scheduler, 0, 2}};
  table.hear(store, 6s);
  CHECK(table.hear(beat_of(role::scheduler, 0, 1, 7s), 7s).answers == 0s);
  CHECK(table.hear(beat_of(role::scheduler, 0, 2, 7s), 7s).answers == 7s);
}

TEST_CASE("a new master appoints owners once it has heard every job store") {
  member_table table{{{role::owner, 0, 1}, {role::scheduler, 0, 1}}, {2, 1500ms, 10s, 1}, 0s};
  table.hear(beat_of(role::scheduler, 0, 1, 5s), 5s); // replaced, and does not know
  table.hear(standby(role::owner, 7, 5s), 5s);
  CHECK(table.check(5s).empty());
  auto store = beat_of(role::workload, 0, 1, 6s);
  store.knows = {{role::scheduler, 0, 2}};
  table.hear(store, 6s);
  table.hear(standby(role::owner, 7, 6s), 6s);
  const auto made = table.check(6s);
  REQUIRE(made.size() == 1);
  CHECK(made[0].what.as.what == role::owner);
  CHECK(made[0].what.now.entries[1].incarnation == 2);
}

TEST_CASE("vacant places are filled at once by standbys of different nodes, without a lease") {
  member_table table{
    {{role::owner, 0, 0}, {role::owner, 1, 0}, {role::owner, 2, 0}}, {1, 1500ms, 10s}, 0s};
  constexpr std::uint32_t node_1 = 1 << 16;
  constexpr std::uint32_t node_2 = 2 << 16;
  for (const auto number : {node_1, node_1 + 1, node_1 + 2, node_2, node_2 + 1})
    table.hear(standby(role::owner, number, 1s), 1s);
  CHECK(table.check(1499ms).empty()); // others may still show up
  const auto made = table.check(1500ms);
  REQUIRE(made.size() == 3);
  CHECK(made[0].standby == node_1);
  CHECK(made[1].standby == node_2);
  CHECK(made[2].standby == node_1 + 1);
  for (const auto& m : made) {
    CHECK(m.what.as.incarnation == 1);
    CHECK(m.why == member_table::vacancy::never_filled);
    CHECK(m.what.old_lease == 0s);
    CHECK(m.what.now.entries[2].incarnation == 1); // all know of all
  }
}

TEST_CASE("the first places are filled as soon as all standbys have shown up") {
  const std::vector<member_entry> places{
    {role::owner, 0, 0}, {role::owner, 1, 0}, {role::scheduler, 0, 0}};
  constexpr std::uint32_t node_1 = 1 << 16;
  constexpr std::uint32_t node_2 = 2 << 16;
  member_table table{places, {1, 1500ms, 10s, 0, 3, 2}, 0s};
  table.hear(standby(role::owner, node_1, 10ms), 10ms);
  table.hear(standby(role::owner, node_1 + 1, 10ms), 10ms);
  table.hear(standby(role::owner, node_1 + 1, 20ms), 20ms);
  table.hear(standby(role::scheduler, node_2, 20ms), 20ms);
  CHECK(table.check(20ms).empty());
  table.hear(standby(role::owner, node_2, 30ms), 30ms);
  const auto owners = table.check(30ms);
  REQUIRE(owners.size() == 2);
  CHECK(owners[0].standby == node_1);
  CHECK(owners[1].standby == node_2);
  CHECK(owners[0].why == member_table::vacancy::never_filled);
  CHECK(table.check(1499ms).empty()); // a scheduler may still show up
  table.hear(standby(role::scheduler, node_2, 1499ms), 1499ms);
  CHECK(table.check(1500ms).size() == 1);

  // A later master may not know who is there.
  member_table later{places, {2, 1500ms, 10s, 0, 1, 1}, 0s};
  later.hear(standby(role::owner, node_1, 10ms), 10ms);
  CHECK(later.check(10ms).empty());
}

TEST_CASE("the place of a dead member goes to the node with the fewest members of its role") {
  member_table table{{{role::owner, 0, 0}, {role::owner, 1, 0}}, {1, 1500ms, 10s}, 0s};
  constexpr std::uint32_t node_1 = 1 << 16;
  constexpr std::uint32_t node_2 = 2 << 16;
  constexpr std::uint32_t node_3 = 3 << 16;
  table.hear(standby(role::owner, node_1, 1s), 1s);
  table.hear(standby(role::owner, node_2, 1s), 1s);
  REQUIRE(table.check(1500ms).size() == 2);
  table.hear(beat_of(role::owner, 0, 1, 2s), 2s);
  // Owner 1, on node 2, falls silent. Node 1 speaks first, but has an owner already.
  for (const auto sent : {2s, 3s}) {
    table.hear(standby(role::owner, node_1 + 1, sent), sent);
    table.hear(standby(role::owner, node_3, sent), sent);
    table.hear(beat_of(role::owner, 0, 1, sent), sent);
  }
  const auto made = table.check(3100ms);
  REQUIRE(made.size() == 1);
  CHECK(made[0].what.as == member_entry{role::owner, 1, 2});
  CHECK(made[0].standby == node_3);
}

TEST_CASE("a leaving member stays until a standby can take its place") {
  auto table = table_of();
  beat_others(table, 100ms);
  table.hear(beat_of(role::owner, 0, 1, 100ms), 100ms);
  table.let_go(role::owner, 0);
  CHECK(table.check(200ms).empty());
  CHECK(table.now().entries[0].incarnation == 1);
  table.hear(standby(role::owner, 7, 300ms), 300ms);
  const auto made = table.check(300ms);
  REQUIRE(made.size() == 1);
  CHECK(made[0].standby == 7);
  CHECK(made[0].what.as == member_entry{role::owner, 0, 2});
  CHECK(made[0].why == member_table::vacancy::let_go);
  CHECK(made[0].what.old_lease == 9800ms); // it lives and may act until it hears of it
  CHECK(table.check(300ms).empty());
}
