#include "actors/scheduler/queue/task_retries.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("a refused task waits for its delay and is abandoned after too many attempts") {
  auto limits = small_limits();
  limits.max_attempts = 2;
  limits.retry.delay = 5s;
  scheduler_fixture all{limits};
  all.submit(1, 1);
  all.refuse(all.place().at(0), 1s);
  CHECK(all.counts().queued == 1);
  CHECK_FALSE(all.jobs().has_next());
  CHECK(all.parts.waiting.next_due() == std::optional<instant>{6s});
  all.parts.updates.refresh({0, 1, 1, {{0, 6s, {2, 2}, {}}}}, 6s);
  all.refuse(all.place(6s).at(0), 7s);
  CHECK(all.counts().abandoned == 1);
  CHECK(all.counts().queued + all.counts().in_commit == 0);
}

TEST_CASE_FIXTURE(scheduler_fixture, "a transaction that is closed is counted as one attempt") {
  submit(1, 2);
  refuse(place().at(0), 1s);
  const auto& attempts = parts.counters.of(0).attempts;
  CHECK(attempts.transactions == 1);
  CHECK(attempts.conflicted == 1);
  CHECK(jobs().head().attempts == 1);
}

namespace {

/// Has a task refused, and returns after how many refusals it has to wait; 0: never.
int refusals_before_wait(view_source source) {
  scheduler_fixture all{small_limits(source)};
  all.submit(1, 1);
  for (int n = 1; n <= 20; ++n) {
    const auto sent = all.place(1s).at(0);
    all.refuse(sent, 1s);
    if (source == view_source::snapshots)
      all.parts.updates.refresh({0, 1, sent.second.id, {{0, 1s, {2, 2}, {}}}}, 1s);
    if (!all.jobs().has_next())
      return n;
  }
  return 0;
}

} // namespace

TEST_CASE("where the view learns nothing from a refusal, retries wait after some refusals") {
  CHECK(refusals_before_wait(view_source::own_tasks) == 9);
  CHECK(refusals_before_wait(view_source::snapshots) == 0);
}
