#include "actors/owner/owner_core.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// The owner of two machines with two slots each, who tells of changes.
struct owner_core_capacity_fixture {
  catalog machines = slot_catalog({2, 1}, 1, 2);
  owner_core owner{0,
                   machines,
                   std::array<partition_id, 1>{0},
                   2,
                   conflict_detection::fine,
                   {.tells_changes = true, .tells_allocator = true}};
  std::vector<granted_placement> granted;

  void commit(scheduler_id scheduler, commit_id id, std::vector<placement> placements,
              commit_mode mode = commit_mode::each, commit_id settles = 0) {
    granted.clear();
    commit_request request{scheduler, id, 1, 0, std::move(placements), mode, settles};
    owner.commit(request, granted, 0s);
  }
};

} // namespace

TEST_CASE_FIXTURE(owner_core_capacity_fixture,
                  "tasks of a machine that leaves are killed and reported lost, once") {
  commit(1, 1, {slot_placement(1, 0, 0), slot_placement(1, 1, 0), slot_placement(1, 2, 1)});
  const auto killed = owner.set_capacity({0, {}}, 5s);
  CHECK(killed == std::vector<task_id>{{1, 1}, {1, 0}});
  const auto reports = owner.reports(5s);
  REQUIRE(reports.size() == 2);
  const auto& report = reports[1].second;
  REQUIRE(report.ends.size() == 2);
  CHECK(report.ends[0].outcome == task_outcome::lost);
  CHECK(report.ends[0].at == 5s);
  REQUIRE(report.changes.size() == 1);
  CHECK(report.changes[0].machine == 0);
  CHECK_FALSE(report.changes[0].present);
  CHECK(report.changes[0].gain == resources{} - resources::of_slots(2));
  for (const auto& g : granted) { // their ends come later, and are of no more interest
    const task_end end{g.task, g.machine, task_outcome::preempted, 6s, g.grant};
    if (g.machine == 0)
      owner.end({&end, 1}, 6s);
  }
  const auto sample = owner.take_sample(6s);
  CHECK(sample.unknown_ends == 0);
  CHECK(sample.ended == 0);
  CHECK(sample.machines == 1);
  CHECK(sample.running == 1);
  CHECK(owner.inconsistent() == 0);
  CHECK(owner.set_capacity({0, {}}, 7s).empty());
  CHECK_FALSE(owner.has_news());
}

TEST_CASE_FIXTURE(owner_core_capacity_fixture,
                  "what has changed is told to the allocator in full") {
  commit(1, 1, {slot_placement(1, 0, 0), slot_placement(1, 1, 0)});
  owner.set_capacity({0, resources::of_slots(1)}, 5s);
  const auto report = owner.outbox()->report(5s);
  REQUIRE(report);
  REQUIRE(report->freed.size() == 1);
  CHECK(report->freed[0].amount == resources::of_slots(1));
  REQUIRE(report->changes.size() == 1);
  CHECK(report->changes[0].present);
  CHECK(report->changes[0].gain == resources{} - resources::of_slots(1));
  owner.set_capacity({0, resources::of_slots(2)}, 6s);
  CHECK(owner.outbox()->report(6s)->changes[0].gain == resources::of_slots(1));
}

TEST_CASE_FIXTURE(owner_core_capacity_fixture,
                  "what is held on a machine that leaves is lost when it is launched") {
  commit(0, 1, {slot_placement(1, 0, 0)}, commit_mode::hold);
  CHECK(owner.set_capacity({0, {}}, 1s).empty());
  CHECK(owner.inconsistent() == 0);
  commit(0, 2, {slot_placement(1, 0, 0)}, commit_mode::launch, 1);
  CHECK(granted.empty());
  const auto reports = owner.reports(2s);
  REQUIRE(reports.size() == 2);
  REQUIRE(reports[0].second.ends.size() == 1);
  CHECK(reports[0].second.ends[0].outcome == task_outcome::lost);
}
