#include "member_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE_FIXTURE(member_fixture, "an end is booked only where the task runs") {
  submit(slot_job(1, 1));
  run({1, 0}, 0);
  parts.locations.end({{1, 0}, 1, task_outcome::finished, at_1s});
  parts.locations.preempt({{1, 0}, 1, at_1s, {}});
  CHECK(counts().running == 1);
  parts.locations.end({{1, 0}, 0, task_outcome::finished, at_1s});
  CHECK(counts().finished == 1);
  CHECK(parts.failover.running.empty());
}

TEST_CASE_FIXTURE(member_fixture, "a task that may run is found, or given back") {
  submit(slot_job(1, 2));
  run({1, 0}, 0);
  run({1, 1}, 1);
  parts.failover.unsure = {{{1, 0}, at_1s}, {{1, 1}, at_1s}};
  parts.failover.partial = {0};
  parts.locations.settle_unsure(at_1s); // an owner does not know its machines
  CHECK(counts().running == 2);
  parts.locations.locate_all({0, session_base(1, 1), {{{1, 0}, 1}}});
  CHECK(parts.failover.running.at({1, 0}) == 1);
  parts.locations.settle_unsure(at_1s);
  const auto told = ends();
  REQUIRE(told.size() == 1);
  CHECK(told[0].task == task_id{1, 1});
  CHECK(told[0].outcome == task_outcome::lost);
  CHECK(counts().queued == 1);
}

TEST_CASE_FIXTURE(member_fixture, "a job that is left is taken in when one of its tasks is found") {
  parts.failover.left = {{slot_job(1, 2)}};
  parts.failover.partial = {1};
  parts.locations.locate_all({0, session_base(1, 1), {{{1, 1}, 0}}});
  CHECK(parts.failover.left.empty());
  CHECK(counts().running == 2);
  parts.failover.left = {{slot_job(2, 1)}};
  parts.failover.partial.clear();
  parts.locations.settle_unsure(at_1s);
  CHECK(submitted().size() == 2); // a task of the first job, and the second one
}
