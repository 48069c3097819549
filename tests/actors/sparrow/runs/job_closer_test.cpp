#include "actors/sparrow/parts_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(sparrow_fixture, "the last task of a job closes it") {
  auto& j = decide(slot_job(1, 2, 1s));
  const auto first = run(j, 4, 2s);
  const auto second = run(j, 5, 2s);
  parts.closer.end(j, first, task_fate::failed, 9s, out);
  CHECK_FALSE(parts.closer.finish_if_over(j));
  parts.closer.end(j, second, task_fate::finished, 4s, out);
  CHECK(parts.closer.finish_if_over(j));
  CHECK(parts.jobs.empty());
  CHECK(out.over.empty()); // failures are not watched
  const auto s = sample(9s);
  CHECK(s.jobs_failed == 1);
  CHECK(s.broken_jobs.max() == doctest::Approx(8));
}

TEST_CASE_FIXTURE(sparrow_fixture, "the end of a stage has machines found for the next one") {
  auto& j = decide(staged_job(1, 1, 2));
  parts.closer.end(j, run(j, 4), task_fate::finished, 5s, out);
  CHECK(out.entries.size() == 4);
  CHECK(j.groups[1].released == 5s);
  parts.accounts.check();
}

TEST_CASE_FIXTURE(sparrow_fixture, "a job that is abandoned keeps the tasks that run") {
  parts.affected.watch(1, machines.machines());
  auto& j = submit(staged_job(1, 2, 3));
  parts.search.place(j, out);
  const auto runs = run(j, 4);
  out = {};
  parts.closer.abandon(j, 3s, out);
  CHECK(counts().abandoned == 4);
  CHECK(counts().running == 1);
  CHECK(out.over.size() == 4);
  CHECK(out.entries.empty());
  CHECK(j.reservations.empty());
  CHECK(parts.jobs.undecided() == 0);
  parts.closer.end(j, runs, task_fate::finished, 4s, out);
  CHECK(parts.closer.finish_if_over(j));
  parts.accounts.check();
}
