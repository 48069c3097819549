#include "actors/sparrow/parts_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(sparrow_fixture, "jobs are decided on by priority, then as they came") {
  for (const job_id id : {1, 2, 3}) {
    auto j = slot_job(id, 1);
    j.priority = id == 2 ? 7 : 0;
    submit(std::move(j));
  }
  CHECK(parts.jobs.undecided() == 3);
  for (const job_id id : {2, 1, 3}) {
    CHECK(parts.jobs.decide_next()->what.id == id);
    CHECK(parts.jobs.decided()->what.id == id);
  }
  CHECK(parts.jobs.decide_next() == nullptr);
}

TEST_CASE_FIXTURE(sparrow_fixture, "nothing is decided on a job that was withdrawn or is over") {
  const auto& first = submit(slot_job(1, 1));
  submit(slot_job(2, 1));
  parts.jobs.withdraw(first);
  REQUIRE(parts.jobs.decide_next()->what.id == 2);
  parts.jobs.close(*parts.jobs.find(job_id{2}));
  CHECK(parts.jobs.decided() == nullptr);
  CHECK_FALSE(parts.jobs.contains(2));
}

TEST_CASE_FIXTURE(sparrow_fixture, "a job that is known or has no tasks is refused") {
  submit(slot_job(1, 1));
  CHECK_THROWS_WITH_AS(submit(slot_job(1, 1)), "job 1 was submitted twice", std::invalid_argument);
  CHECK_THROWS_WITH_AS(submit(slot_job(2, 0)), "job 2 has no tasks", std::invalid_argument);
  CHECK(parts.jobs.undecided() == 1);
}

TEST_CASE_FIXTURE(sparrow_fixture, "the table of jobs knows where each task is") {
  auto& j = decide(slot_job(1, 3));
  const auto runs = run(j, 4);
  const auto sent = parts.launcher.launch(j, 0, j.take_task(0), 5).task;
  const auto in = parts.jobs.places();
  CHECK(in.queued == 1);
  CHECK(in.in_commit == 1);
  CHECK(in.running == 1);
  CHECK(parts.jobs.may_run(runs, 4));
  CHECK(parts.jobs.may_run(sent, 5));
  CHECK_FALSE(parts.jobs.may_run(sent, 4));
  CHECK_FALSE(parts.jobs.may_run({1, 2}, 0));
  CHECK_FALSE(parts.jobs.may_run({1, 3}, 0)); // there is no such task
  parts.jobs.visit_running([&](const task_id& task, machine_id machine) {
    CHECK(task == runs);
    CHECK(machine == 4);
  });
}
