#include "actors/scheduler/recovery/takeover.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("an earlier incarnation is taken over once everyone has told, and not before") {
  scheduler_fixture all{small_limits(view_source::own_tasks)};
  all.watch_failures(2);
  auto& earlier = all.parts.earlier;
  earlier.hear({0, session_base(1, 2), {{{1, 0}, 0}}});
  earlier.deliver({0, 2, 1, true, {{slot_job(1, 2), {}}}});
  CHECK(all.counts().submitted == 0);
  earlier.hear({1, session_base(1, 2)});
  CHECK_FALSE(all.parts.failover->taking_over());
  CHECK(all.counts().running == 1);
  CHECK(all.counts().queued == 1);
  CHECK(all.parts.reports.seen(0) == session_base(1, 2) + 1);
  earlier.deliver({0, 2, 2, false, {{slot_job(2, 3), {}}}});
  CHECK(all.counts().queued == 4);
}
