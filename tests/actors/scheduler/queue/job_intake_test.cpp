#include "actors/scheduler/queue/job_intake.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("a job of an earlier incarnation has tasks that are over, run, or wait") {
  scheduler_fixture all{small_limits(view_source::own_tasks)};
  all.watch_failures(2);
  all.parts.failover->running[{1, 1}] = 3;
  kept_job left{slot_job(1, 4), {0}};
  SUBCASE("all owners know their machines") {
    all.parts.intake.resume(left);
    CHECK(all.counts().running == 1);
    CHECK(all.counts().queued == 2);
  }
  SUBCASE("some do not: the others may run") {
    all.parts.failover->partial.insert(0);
    all.parts.intake.resume(left);
    CHECK(all.counts().running == 3);
    CHECK(all.counts().queued == 0);
    CHECK(all.parts.failover->unsure.size() == 2);
  }
  CHECK(all.counts().submitted == 3);
  CHECK(all.parts.charged.seen().free(3) == one_slot);
  CHECK(all.parts.counters.balanced(0));
}
