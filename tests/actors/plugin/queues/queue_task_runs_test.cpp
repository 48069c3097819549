#include "queue_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE_FIXTURE(queue_fixture, "a machine starts and ends only tasks that were sent to it") {
  submit(slot_job(1, 1));
  parts.runs.start({{1, 0}, 2, at_1s});
  CHECK(parts.books.counters().duplicate_grants() == 1);
  send({1, 0}, 2);
  end({1, 0}, 2); // it has not started
  CHECK(parts.books.counters().duplicate_grants() == 2);
  parts.runs.start({{1, 0}, 2, at_1s});
  end({1, 0}, 2);
  CHECK(parts.books.counters().duplicate_grants() == 2);
  CHECK(counts().finished == 1);
  CHECK(out.over == std::vector{std::pair{task_id{1, 0}, task_fate::finished}});
}

TEST_CASE_FIXTURE(queue_fixture, "a task is given up after its retries, and fails for the plugin") {
  parts.runs.watch_failures(1);
  submit(slot_job(1, 1));
  run({1, 0}, 2);
  parts.runs.lose_all(2, at_1s, out);
  CHECK(ends().at(0).outcome == task_outcome::lost);
  run({1, 0}, 2);
  parts.runs.lose_all(2, at_1s, out);
  CHECK(ends().at(0).outcome == task_outcome::failed);
  CHECK(counts().lost == 1);
  CHECK(parts.books.jobs.empty());
}

TEST_CASE_FIXTURE(queue_fixture, "a killed task runs again, as often as that happens") {
  parts.runs.watch_failures(1);
  submit(slot_job(1, 1));
  for (int i = 0; i < 3; ++i) {
    run({1, 0}, 2);
    end({1, 0}, 2, task_outcome::preempted);
  }
  CHECK(counts().queued == 1);
}

TEST_CASE_FIXTURE(queue_fixture, "only tasks that have started are lost with a machine") {
  submit(slot_job(1, 2));
  run({1, 0}, 2);
  send({1, 1}, 2);
  parts.runs.lose_all(2, at_1s, out);
  CHECK(counts().queued == 1);
  CHECK(counts().in_commit == 1);
}

TEST_CASE_FIXTURE(queue_fixture, "tasks that a queue plugin gives up are over") {
  submit(slot_job(1, 2));
  CHECK(parts.runs.abandon_queued(0, 1, at_1s, out) == 0);
  CHECK(parts.runs.abandon_queued(0, 2, at_1s, out) == 2);
  CHECK(out.over.size() == 2);
  CHECK(counts().abandoned == 2);
}
