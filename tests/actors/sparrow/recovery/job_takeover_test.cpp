#include "actors/sparrow/parts_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(sparrow_fixture, "a job is taken over with what is over and what runs") {
  parts.affected.watch(1, machines.machines());
  kept_job left{staged_job(1, 3, 2), {0}};
  parts.earlier.resume(left, {{{1, 1}, 6}});
  const auto& j = *parts.jobs.find(job_id{1});
  CHECK(counts().submitted == 4);
  CHECK(counts().queued == 3);
  CHECK(counts().running == 1);
  CHECK(j.ready() == 1);
  CHECK(j.blocked() == 2);
  CHECK(parts.jobs.may_run({1, 1}, 6));
  CHECK(parts.jobs.undecided() == 1);
  CHECK(parts.affected.concerned_by(6) == std::vector<job_id>{1});
  parts.accounts.check();
}

TEST_CASE_FIXTURE(sparrow_fixture, "nothing is decided on a job that only runs") {
  kept_job left{slot_job(1, 2), {1}};
  parts.earlier.resume(left, {{{1, 0}, 6}});
  CHECK(parts.jobs.undecided() == 0);
  CHECK(parts.jobs.find(job_id{1})->placed);
  parts.runs.end({{1, 0}, 6, task_outcome::finished, 2s}, out);
  CHECK(parts.jobs.empty());
  CHECK(sample(2s).jobs_submitted == 0); // it was to the earlier one
}
