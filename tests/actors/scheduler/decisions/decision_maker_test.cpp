#include "actors/scheduler/decisions/decision_maker.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(scheduler_fixture, "a decision that is withdrawn leaves everything as it was") {
  submit(1, 6);
  CHECK(parts.decisions.decide(0s, {}) == 10ms + 4 * 2ms);
  CHECK(counts().in_commit == 4);
  CHECK(parts.charged.seen().units() == 4);
  parts.decisions.withdraw(1s);
  CHECK(counts().queued == 6);
  CHECK(parts.charged.seen().units() == 8);
  CHECK(jobs().head().task == task_id{1, 0});
  CHECK(parts.decisions.decide(1s, {}));
  CHECK(parts.batch.size() == 2); // half as many
}

TEST_CASE_FIXTURE(scheduler_fixture, "a task that no machine could hold is abandoned") {
  auto big = slot_job(1, 1);
  big.groups[0].demand = resources::of_slots(3);
  parts.intake.submit(big);
  CHECK_FALSE(parts.decisions.decide(0s, {}));
  CHECK(counts().abandoned == 1);
  CHECK(parts.counters.of(0).attempts.unplaceable == 1);
}
