#include "member_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE_FIXTURE(member_fixture, "a lost task is told as lost until it is given up as failed") {
  submit(slot_job(1, 1));
  for (int i = 1; i <= 3; ++i) {
    run({1, 0}, 0);
    parts.ends.end({{1, 0}, 0, task_outcome::lost, at_1s});
    const auto told = ends();
    REQUIRE(told.size() == 1);
    CHECK(told[0].outcome == (i < 3 ? task_outcome::lost : task_outcome::failed));
  }
  CHECK(counts().lost == 1);
  CHECK(parts.books.jobs.empty());
  CHECK(parts.failover.latest() == 1); // the job store is told of it once
}

TEST_CASE_FIXTURE(member_fixture,
                  "the end of a task whose job is over is counted as a second run") {
  parts.ends.end({{7, 0}, 0, task_outcome::finished, at_1s});
  CHECK(parts.books.counters().duplicate_grants() == 1);
  CHECK(ends().empty());
}

TEST_CASE_FIXTURE(member_fixture,
                  "a task that the plugin does not know is submitted to run again") {
  resume(slot_job(1, 2), {{{1, 0}, 0}, {{1, 1}, 1}});
  clear();
  parts.ends.preempt({{1, 0}, 0, at_1s, {}});
  const auto jobs = submitted();
  REQUIRE(jobs.size() == 1);
  CHECK(jobs[0].task_count() == 1);
  CHECK(parts.books.jobs.named({jobs[0].id, 0}) == task_id{1, 0});
  parts.ends.put_back({1, 1}, at_1s);
  CHECK(submitted().size() == 1);
  CHECK(counts().queued == 2);
}

TEST_CASE_FIXTURE(member_fixture, "what a plugin has given up is over if it counts all of it") {
  submit(slot_job(1, 2));
  CHECK(parts.ends.abandon_queued(0, 1, at_1s) == 0);
  CHECK(parts.ends.abandon_queued(0, 2, at_1s) == 2);
  CHECK(counts().abandoned == 2);
}
