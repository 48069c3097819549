#include "actors/scheduler/scheduler_counters.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(scheduler_fixture, "a task that moves is counted in exactly one place") {
  auto& counters = parts.counters;
  counters.enter(0, &task_counts::queued, 3);
  counters.wait(0, 0s, 3);
  counters.move(0, &task_counts::queued, &task_counts::in_commit, 2);
  CHECK(counts().submitted == 3);
  CHECK(counts().queued == 1);
  CHECK(counts().in_commit == 2);
  CHECK(counters.balanced(0));
  CHECK_FALSE(counters.balanced(1)); // then one would wait that is noted as waiting for a place
}

TEST_CASE_FIXTURE(scheduler_fixture, "a sample has what was counted since the one before") {
  const auto j = slot_job(1, 1);
  auto& counters = parts.counters;
  decided_placement d;
  d.task = waiting_one(j);
  counters.conflict(d, conflict_cause::gone);
  counters.placed(d, 3s, 0, false);
  const auto first = counters.take(1s).at(0).sample;
  CHECK(first.conflicts == 1);
  CHECK(first.delay.count() == 1);
  CHECK(first.quality.mean() == 4);
  CHECK(counters.take(2s).at(0).sample.conflicts == 0);
}

TEST_CASE_FIXTURE(scheduler_fixture, "a decision counts as busy as its time passes") {
  auto& counters = parts.counters;
  counters.begin_decision(0s);
  counters.add_decision(0, 4s);
  counters.pass(1s);
  CHECK(counters.take(1s).at(0).sample.busy == 1s);
  counters.give_up_decision(3s);
  CHECK(counters.take(3s).at(0).sample.busy == 2s);
}
