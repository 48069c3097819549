#include "member_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE_FIXTURE(member_fixture, "a plugin is given the tasks of a left job that do not run") {
  auto left = kept_job{slot_job(1, 4), {0}};
  parts.failover.running = {{{1, 0}, 0}, {{1, 2}, 3}}; // the first one is over
  parts.intake.resume(left);
  const auto jobs = submitted();
  REQUIRE(jobs.size() == 1);
  CHECK(jobs[0].task_count() == 2);
  CHECK(counts().running == 1);
  CHECK(counts().queued == 2);
  CHECK(parts.failover.running == std::map<task_id, machine_id>{{{1, 2}, 3}});
}

TEST_CASE_FIXTURE(member_fixture, "while machines are unknown, the tasks of a left job may run") {
  parts.failover.partial = {1};
  resume(slot_job(1, 2), {{{1, 0}, 0}});
  CHECK(submitted().empty());
  CHECK(counts().running == 2);
  CHECK(parts.failover.unsure.contains({1, 1}));
  CHECK(parts.failover.running.at({1, 1}) == failover_books::somewhere);
}
