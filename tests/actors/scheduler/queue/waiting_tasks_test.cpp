#include "actors/scheduler/queue/waiting_tasks.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(scheduler_fixture,
                  "refused tasks wait for their time and are counted meanwhile") {
  auto& waiting = parts.waiting;
  submit(1, 1);
  submit(2, 1);
  auto first = jobs().take_head();
  waiting.wait({first}, {}, 5s);
  CHECK(waiting.count() == 2);
  CHECK(waiting.next_due() == std::optional<instant>{5s});
  waiting.queue_ready(parts.charged.seen(), 4s);
  CHECK(jobs().head().task.job == 2);
  waiting.queue_ready(parts.charged.seen(), 5s);
  CHECK(jobs().head().task.job == 1);
  CHECK_FALSE(waiting.next_due());
}

TEST_CASE("a decision looks past a limited number of tasks, which keep their places") {
  auto limits = small_limits();
  limits.look_past = 1;
  scheduler_fixture all{limits};
  all.submit(1, 1);
  all.submit(2, 1);
  CHECK(all.parts.waiting.look_past());
  CHECK(all.jobs().head().task.job == 2);
  CHECK_FALSE(all.parts.waiting.look_past());
  all.parts.waiting.end_look_past();
  CHECK(all.jobs().head().task.job == 1);
}
