#include "machine_leases_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;

TEST_CASE_FIXTURE(machine_leases_fixture,
                  "one heartbeat counts for all machines of a process that are in session") {
  join_all(0s);
  const auto signs = [](instant sent, incarnation_id obeyed = 2, incarnation_id of_process = 1) {
    return process_heartbeat{0, 3, of_process, role::owner, 0, obeyed, sent};
  };
  for (instant at = 1s; at <= 9s; at += 1s) {
    const auto answer = leases.hear(signs(at - 5ms), at);
    REQUIRE(answer.lease);
    CHECK(answer.lease->answers == at - 5ms);
    CHECK(answer.lease->answers_as == 2);
    CHECK(answer.lease->except.empty());
    leases.check(at);
    leases.extend_lease(at);
  }
  CHECK(leases.present() == 3);
  CHECK(core.running_of(1).size() == 1);
  // Another process has come instead, and has not told what it runs.
  const auto other = leases.hear(signs(9s, 2, 2), 9s);
  REQUIRE(other.lease);
  REQUIRE(other.lease->except.size() == 1);
  CHECK_FALSE(other.lease->renews(0));
  CHECK_FALSE(other.lease->renews(2));
  CHECK_FALSE(leases.hear(signs(9s, 1), 9s).lease); // to the owner before
  leases.hear(beat(1, 9500ms), 9500ms);
  leases.check(10500ms);
  CHECK(leases.present() == 1);
  const auto one = leases.hear(signs(10s), 10600ms);
  REQUIRE(one.lease);
  CHECK_FALSE(one.lease->renews(0));
  CHECK(one.lease->renews(1));
  CHECK_FALSE(one.lease->renews(2));
  CHECK_FALSE(leases.hear(signs(29s), 29s).lease); // without word from the master
  CHECK_FALSE(leases.deposed());
  CHECK_FALSE(leases.hear(signs(29s, 3), 29s).lease);
  CHECK(leases.deposed());
}

TEST_CASE_FIXTURE(machine_leases_fixture,
                  "the heartbeat of a process has lost orders repeated, and acknowledges none") {
  join_all(0s);
  machine_order launch;
  launch.what.task = task(4);
  leases.order(1, launch, 10ms);
  const process_heartbeat signs{0, 3, 1, role::owner, 0, 2, 0s};
  CHECK(leases.hear(signs, 400ms).again.empty());
  const auto again = leases.hear(signs, 600ms).again;
  REQUIRE(again.size() == 1);
  CHECK(again[0].first == 1);
  CHECK(again[0].second.number == 1);
  CHECK(again[0].second.what.task == task(4));
  CHECK(leases.orders(1, task(4)));
}

TEST_CASE("the heartbeat of a process makes a silent machine usable, unless it leaves") {
  const auto machines = slot_machines(2, 3, 1);
  const std::vector<partition_id> partitions{0};
  owner_core core{0, *machines, partitions, 1, conflict_detection::fine};
  machine_leases leases{core, *machines, partitions, {1}, {1, 1500ms, 5s, 500ms, 0s, 10s}, 0s};
  for (machine_id m = 0; m < 2; ++m) {
    machine_heartbeat b{m, 1, 1, 0s};
    b.joins = true;
    b.leaves = m == 1;
    leases.hear(b, 0s);
  }
  leases.check(1500ms); // both are silent
  leases.hear(process_heartbeat{0, 2, 1, role::owner, 0, 1, 2s}, 2s);
  const auto grants = [&](machine_id machine, commit_id number) {
    std::vector<granted_placement> granted;
    const commit_request wanted{
      0, number, number, 0, {{task(9), machine, 0, resources::of_slots(1), 60s}}};
    return core.commit(wanted, granted, 2s).rejections.empty();
  };
  CHECK(grants(0, 1));
  CHECK_FALSE(grants(1, 2));
}
