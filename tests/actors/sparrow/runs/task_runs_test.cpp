#include "actors/sparrow/parts_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(sparrow_fixture, "an end without a start has its start booked first") {
  auto& j = decide(slot_job(1, 2, 0s, 3s));
  const auto task = parts.launcher.launch(j, 0, j.take_task(0), 4).task;
  parts.runs.end({task, 4, task_outcome::finished, 10s}, out);
  CHECK(counts().placed == 1);
  CHECK(counts().finished == 1);
  CHECK(sample(10s).delay.max() == doctest::Approx(7));
}

TEST_CASE_FIXTURE(sparrow_fixture, "news that nobody waits for is counted and changes nothing") {
  auto& j = decide(slot_job(1, 2));
  const auto task = run(j, 4);
  parts.runs.start({task, 4, 1s});                              // twice
  parts.runs.start({{1, 1}, 4, 1s});                            // it was not sent
  parts.runs.end({{7, 0}, 4, task_outcome::finished, 1s}, out); // no such job
  parts.runs.end({task, 5, task_outcome::finished, 1s}, out);   // elsewhere
  CHECK(parts.accounts.counters().duplicate_grants() == 4);
  parts.probed.remove(5);
  parts.runs.end({task, 5, task_outcome::finished, 1s}, out); // from a machine that is gone
  CHECK(parts.accounts.counters().duplicate_grants() == 4);
  CHECK(counts().running == 1);
}

TEST_CASE_FIXTURE(sparrow_fixture, "a run that is lost is repeated as often as it may be") {
  parts.affected.watch(1, machines.machines());
  auto& j = decide(slot_job(1, 1));
  parts.runs.end({run(j, 4, 1s), 4, task_outcome::lost, 2s}, out);
  CHECK(counts().queued == 1);
  CHECK(out.entries.size() == 1); // a reservation elsewhere or there
  CHECK(out.over.empty());
  parts.runs.end({run(j, 5, 3s), 5, task_outcome::lost, 4s}, out);
  CHECK(counts().lost == 1);
  REQUIRE(out.over.size() == 1);
  CHECK(out.over[0].second == task_fate::lost);
  CHECK(parts.jobs.empty());
  parts.accounts.check();
}

TEST_CASE_FIXTURE(sparrow_fixture, "a preempted task runs again, however often") {
  parts.affected.watch(1, machines.machines());
  auto& j = decide(slot_job(1, 1));
  for (int i = 0; i < 4; ++i)
    parts.runs.end({run(j, 4, 1s), 4, task_outcome::preempted, 2s}, out);
  CHECK(counts().queued == 1);
  CHECK(counts().lost == 0);
}
