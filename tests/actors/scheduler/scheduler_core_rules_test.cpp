#include "actors/scheduler/scheduler_core.hpp"
#include "policies/registry.hpp"
#include "support/attribute_cluster.hpp"
#include "support/sample_of.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

const std::vector<task_class> one_class{{"fast", {{parse_constraint("disk == ssd"), 0.7}}}};

/// One scheduler, one owner, four machines of two slots; machines 1 and 3 have ssd.
struct scheduler_core_rules_fixture {
  catalog machines = disk_catalog({hdd, ssd, hdd, ssd}, 1, 2, one_class);
  scheduler_core core = with({.batch = 4});

  scheduler_core with(const scheduler_limits& limits) {
    return {0, machines, {0}, make_policy("quality-first", {}), limits, random_stream{1}, 0s};
  }

  void submit(job j) {
    std::vector<job> jobs;
    jobs.push_back(std::move(j));
    core.submit(std::move(jobs));
  }

  /// Decides on a batch and hands it out; no placements where nothing can be decided.
  std::vector<placement> place(instant now = 0s) {
    if (!core.decide(now))
      return {};
    auto out = core.commit(now);
    REQUIRE(out.size() == 1);
    last = out[0].second.id;
    return out[0].second.placements;
  }

  void accept() { core.answer({0, last, {}}, 1s); }

  void refuse(std::int32_t slots_left) {
    core.answer({0, last, {{0, conflict_cause::taken, 1, 0, resources::of_slots(slots_left)}}}, 1s);
  }

  void end(const placement& p, task_outcome outcome = task_outcome::finished) {
    core.report({0, ++reports, {{p.task, p.machine, outcome, 2s}}});
  }

  commit_id last = 0;
  std::uint64_t reports = 0;
};

std::multiset<machine_id> machines_in(const std::vector<placement>& placements) {
  std::multiset<machine_id> out;
  for (const auto& p : placements)
    out.insert(p.machine);
  return out;
}

} // namespace

TEST_CASE_FIXTURE(scheduler_core_rules_fixture,
                  "tasks go to machines that meet their constraints only") {
  submit(constrained_job(1, 5, "disk == ssd"));
  CHECK(machines_in(place()) == std::multiset<machine_id>{1, 1, 3, 3});
  accept();
  CHECK_FALSE(core.decide(1s)); // the other machines are idle
  CHECK(sample_of(core, 1s).constraint_violations == 0);
  CHECK(core.counts().queued == 1);
}

TEST_CASE_FIXTURE(scheduler_core_rules_fixture,
                  "a task that waits for its kind of machine goes on when one is free") {
  submit(constrained_job(1, 5, "disk == ssd"));
  place();
  accept();
  REQUIRE_FALSE(core.decide(1s));
  core.refresh({0, 1, last, {{0, 2s, {0, 1, 0, 0}, {}}}}, 2s);
  CHECK(machines_in(place(2s)) == std::multiset<machine_id>{1});
}

TEST_CASE_FIXTURE(scheduler_core_rules_fixture,
                  "no two tasks of a spread job share a machine while they are there") {
  submit(spread_job(1, 6));
  const auto first = place();
  CHECK(machines_in(first) == std::multiset<machine_id>{0, 1, 2, 3});
  accept();
  CHECK(place(1s).empty()); // each machine has a slot left
  end(first[0]);
  end(first[1], task_outcome::lost); // it waits again
  const auto second = place(3s);
  CHECK(machines_in(second) == std::multiset<machine_id>{first[0].machine, first[1].machine});
  accept();
  CHECK(sample_of(core, 3s).constraint_violations == 0);
  CHECK(core.counts().queued == 1);
}

TEST_CASE_FIXTURE(scheduler_core_rules_fixture,
                  "a refused task of a spread job leaves the machine to the others") {
  core = with({.batch = 1, .max_attempts = 1});
  submit(spread_job(1, 2));
  const auto first = place();
  REQUIRE(first.size() == 1);
  const auto m = first[0].machine;
  refuse(1); // given up
  for (machine_id other = 0; other < 4; ++other)
    if (other != m)
      submit(constrained_job(10 + other, 1, "disk != tape"));
  core.refresh({0, 1, last, {{0, 2s, {m == 0, m == 1, m == 2, m == 3}, {}}}}, 2s);
  CHECK(machines_in(place(2s)) == std::multiset<machine_id>{m});
}

TEST_CASE_FIXTURE(scheduler_core_rules_fixture,
                  "a head without a machine keeps the tasks behind it waiting") {
  submit(constrained_job(1, 5, "disk == ssd"));
  submit(slot_job(2, 4));
  place();
  accept();
  CHECK(place(1s).empty());
}

TEST_CASE_FIXTURE(scheduler_core_rules_fixture,
                  "tasks behind it overtake where the scheduler looks past it") {
  core = with({.batch = 3, .look_past = 2});
  submit(constrained_job(1, 6, "disk == ssd"));
  submit(slot_job(2, 3));
  place(); // three of the first job
  accept();
  // The fourth of it, then three of the second job past the two that find no machine.
  const auto overtaking = place(1s);
  REQUIRE(overtaking.size() == 3);
  CHECK(overtaking[0].task == task_id{1, 3});
  CHECK(overtaking[1].task == task_id{2, 0});
  CHECK(overtaking[2].task == task_id{2, 1});
  accept();
  CHECK(core.counts().queued == 3);
  // Those that were passed come first again, in their order.
  core.refresh({0, 1, last, {{0, 2s, {0, 1, 0, 1}, {}}}}, 2s);
  const auto then = place(2s);
  REQUIRE(then.size() == 2);
  CHECK(then[0].task == task_id{1, 4});
  CHECK(then[1].task == task_id{1, 5});
}

TEST_CASE_FIXTURE(scheduler_core_rules_fixture,
                  "no more tasks are looked past than the limit says") {
  core = with({.batch = 4, .look_past = 1});
  submit(constrained_job(1, 6, "disk == ssd"));
  submit(slot_job(2, 1));
  place();
  accept();
  CHECK(place(1s).empty()); // two find no machine
}

TEST_CASE_FIXTURE(scheduler_core_rules_fixture,
                  "tasks that no machine could ever hold are abandoned") {
  submit(constrained_job(1, 2, "disk == tape"));
  submit(slot_job(2, 1));
  CHECK(place().size() == 1);
  const auto counts = core.counts();
  CHECK(counts.abandoned == 2);
  CHECK(counts.balanced());
  const auto sample = sample_of(core, 0s);
  CHECK(sample.jobs_finished == 0);
  CHECK(sample.attempts.jobs_abandoned == 1);
  submit(constrained_job(3, 1, "disk == tape"));
  CHECK_FALSE(core.decide(0s));
  CHECK(core.counts().abandoned == 3);
}

TEST_CASE_FIXTURE(scheduler_core_rules_fixture,
                  "quality is the score for the task's class, heeded or not") {
  for (const bool preferences : {true, false}) {
    core = with({.batch = 1, .preferences = preferences});
    auto j = constrained_job(1, 1, "disk == ssd");
    j.groups[0].task_class = 1;
    submit(std::move(j));
    const auto placed = place();
    REQUIRE(placed.size() == 1);
    accept();
    CHECK(sample_of(core, 1s).quality.mean() ==
          doctest::Approx(machines.score(placed[0].machine, 1)));
  }
}

TEST_CASE("a hard share gives up what it could never hold, and the others go on") {
  // Scheduler 0 has partition 0 to itself; only partition 1 has ssd.
  const auto machines = disk_catalog({hdd, ssd}, 2, 2, {});
  const auto ssd_at = machines.place_of(machines.machine(0).kind == ssd ? 0 : 1).partition;
  const own_share share{sharing::hard, {1 - ssd_at}};
  scheduler_core core{0,
                      machines,
                      {0, 0},
                      make_policy("best-fit", {}),
                      {.batch = 4, .source = view_source::own_tasks, .share = share},
                      random_stream{1},
                      0s};
  core.submit({constrained_job(1, 2, "disk == ssd"), slot_job(2, 1)});
  REQUIRE(core.decide(0s));
  const auto out = core.commit(0s);
  REQUIRE(out.size() == 1);
  REQUIRE(out[0].second.placements.size() == 1);
  CHECK(out[0].second.placements[0].task == task_id{2, 0});
  CHECK(core.counts().abandoned == 2);
  CHECK(core.counts().queued == 0);
  CHECK(sample_of(core, 0s).attempts.unplaceable == 2);
}

TEST_CASE("what a tenant's maximum could never hold is given up, and the others go on") {
  const auto machines = even_catalog(2, 1, 4);
  const auto run = [&](job j) {
    scheduler_core core{
      0, machines,           {0}, make_policy("best-fit", {}), {.batch = 8}, random_stream{1}, 0s,
      0, {{.max = 0.25}, {}}};
    core.submit({std::move(j)});
    auto other = slot_job(2, 1);
    other.tenant = 1;
    core.submit({std::move(other)});
    REQUIRE(core.decide(0s));
    CHECK(core.commit(0s).size() >= 1);
    return core.counts();
  };
  auto large = slot_job(1, 2);
  large.groups[0].demand = resources::of_slots(3);
  CHECK(run(large).abandoned == 2);
  auto gang = slot_job(1, 3);
  gang.gang = true;
  CHECK(run(gang).abandoned == 3);
  gang.groups[0].count = 2;
  CHECK(run(gang).abandoned == 0);
  CHECK(run(slot_job(1, 3)).abandoned == 0); // the third one waits
}
