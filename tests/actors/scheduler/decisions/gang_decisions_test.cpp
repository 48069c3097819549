#include "actors/scheduler/decisions/gang_decisions.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(scheduler_fixture, "all tasks of a gang are placed, or none is") {
  submit(1, 4, true);
  decision_context context{0s, parts.random};
  duration cost{0};
  SUBCASE("there is room for all") {
    CHECK(parts.gangs.decide(context, cost));
    CHECK(parts.batch.size() == 4);
    CHECK(counts().in_commit == 4);
    CHECK(cost == 10ms + 4 * 2ms);
  }
  SUBCASE("there is not") {
    for (machine_id m : {0u, 1u, 2u})
      parts.charged.correct(m, {}, 0);
    CHECK(parts.gangs.decide(context, cost));
    CHECK(parts.batch.empty());
    CHECK(counts().queued == 4);
    CHECK(parts.charged.seen().free(3) == resources::of_slots(2));
    CHECK_FALSE(jobs().has_next()); // it is aside
    parts.charged.correct(0, resources::of_slots(2), 0);
    parts.gangs.wake(0s, true);
    CHECK(jobs().has_next());
  }
}

TEST_CASE_FIXTURE(scheduler_fixture, "a gang that the idle machines cannot hold is impossible") {
  submit(1, 9, true);
  CHECK_FALSE(parts.gangs.possible(jobs().head()));
  jobs().take_head();
  submit(2, 8, true);
  CHECK(parts.gangs.possible(jobs().head()));
}
