#include "queue_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE_FIXTURE(queue_fixture,
                  "a queue plugin is given the tasks of a left job that do not run") {
  parts.intake.resume({slot_job(1, 4), {0}}, {{{1, 0}, 1}, {{1, 2}, 3}});
  const auto jobs = submitted();
  REQUIRE(jobs.size() == 1);
  CHECK(jobs[0].task_count() == 2);
  CHECK(counts().running == 1);
  CHECK(counts().queued == 2);
  CHECK(parts.sent.has({1, 2}, 3));
  CHECK_FALSE(parts.sent.has({1, 0}, 1)); // it is over
}

TEST_CASE_FIXTURE(queue_fixture, "a left job that has not started is given as it is") {
  CHECK(resume(slot_job(1, 4), {}) == 1);
  submit(slot_job(2, 1));
  CHECK(submitted().at(0).id == 2);
  CHECK(counts().queued == 5);
}
