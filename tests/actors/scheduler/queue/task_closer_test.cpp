#include "actors/scheduler/queue/task_closer.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(scheduler_fixture,
                  "a job is over with its last task, and a lost task runs again") {
  submit(1, 2);
  grant(place().at(0));
  parts.ends.end({{1, 0}, 0, task_outcome::finished, 2s});
  CHECK(counts().finished == 1);
  CHECK(jobs().open_jobs() == 1);
  parts.ends.end({{1, 1}, 0, task_outcome::lost, 2s});
  CHECK(counts().queued == 1);
  CHECK(jobs().head().submitted == 2s);
  grant(place(2s).at(0), 2s);
  parts.ends.end({{1, 1}, 0, task_outcome::finished, 3s});
  CHECK(jobs().open_jobs() == 0);
  CHECK(parts.counters.balanced(0));
  parts.ends.end({{1, 1}, 0, task_outcome::finished, 3s});
  CHECK(parts.counters.granted_twice() == 1);
}

TEST_CASE_FIXTURE(scheduler_fixture, "a preempted task waits again and its lost work is counted") {
  submit(1, 1);
  grant(place().at(0));
  parts.ends.preempt({{1, 0}, 0, 4s, 3s});
  CHECK(counts().running == 0);
  CHECK(jobs().head().submitted == 4s);
  CHECK(parts.counters.of(0).preempted.ran == 3s);
}

TEST_CASE("a job is abandoned with all its tasks after too many empty attempts") {
  auto limits = small_limits();
  limits.max_empty_attempts = 2;
  scheduler_fixture all{limits};
  all.submit(1, 3);
  all.parts.ends.empty_attempt(1, 1s);
  CHECK(all.counts().abandoned == 0);
  all.parts.ends.empty_attempt(1, 1s);
  CHECK(all.counts().abandoned == 3);
  CHECK(all.jobs().open_jobs() == 0);
  CHECK(all.parts.counters.balanced(0));
}

TEST_CASE_FIXTURE(scheduler_fixture,
                  "tasks of a job that was given up while they ran do not wait again") {
  submit(1, 2);
  grant(place().at(0));
  parts.waiting.jobs().give_up(1);
  parts.ends.preempt({{1, 0}, 0, 4s, 3s});
  CHECK(counts().abandoned == 1);
  CHECK(parts.counters.balanced(0));
  parts.ends.end({{1, 1}, 0, task_outcome::lost, 4s});
  CHECK(counts().abandoned == 2);
  CHECK(jobs().open_jobs() == 0);
  CHECK(parts.counters.balanced(0));
}
