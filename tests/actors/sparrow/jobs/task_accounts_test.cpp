#include "actors/sparrow/parts_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(sparrow_fixture, "each step of a task moves it from one count to the next") {
  auto& accounts = parts.accounts;
  const auto& j = submit(slot_job(1, 2));
  CHECK(counts().queued == 2);
  accounts.send(j, 0, 4);
  CHECK(counts().in_commit == 1);
  accounts.take_back(j, 0);
  CHECK(counts().queued == 2);
  accounts.send(j, 0, 4);
  accounts.start(j, 0, {{1, 0}, 4, 2s}, false);
  CHECK(counts().running == 1);
  accounts.lose(j, {1, 0}, 5s);
  CHECK(counts().queued == 2);
  accounts.abandon(j, 0, 6s);
  accounts.send(j, 0, 4);
  accounts.start(j, 0, {{1, 0}, 4, 7s}, true);
  accounts.end(j, task_fate::failed);
  CHECK(counts().abandoned == 1);
  CHECK(counts().failed == 1);
  CHECK(accounts.counters().balanced());
  CHECK(accounts.counters().waiting() == 0);
  CHECK(sample(8s).constraint_violations == 1);
}

TEST_CASE_FIXTURE(sparrow_fixture, "a task waits from the loss of its last run on") {
  auto& accounts = parts.accounts;
  auto& j = submit(slot_job(1, 1, 1s));
  CHECK(accounts.waits_since(j, {1, 0}, 0) == 1s);
  const auto task = run(j, 4, 2s);
  CHECK(sample(2s).delay.max() == doctest::Approx(1));
  accounts.lose(j, task, 5s);
  j.put_back(0);
  CHECK(accounts.waits_since(j, task, 0) == 5s);
  CHECK(sample(7s).waiting.max() == doctest::Approx(2));
  accounts.close(task, 8s, task_fate::abandoned);
  CHECK(accounts.waits_since(j, task, 0) == 1s);
}

TEST_CASE_FIXTURE(sparrow_fixture, "tasks that wait for others of their job count as queued only") {
  auto& j = submit(staged_job(1, 1, 3));
  CHECK(counts().queued == 4);
  CHECK(parts.accounts.counters().waiting() == 1);
  REQUIRE(j.close(0, 2s) == std::vector<std::uint32_t>{1});
  parts.accounts.release(j, {1});
  CHECK(parts.accounts.counters().waiting() == 4);
}

TEST_CASE("jobs from before the warmup are counted, and their delays are not") {
  sparrow_limits limits;
  limits.warmup = 10s;
  sparrow_fixture all{limits};
  for (const job_id id : {1, 2}) {
    auto& j = all.submit(slot_job(id, 1, id == 1 ? 9s : 10s));
    all.run(j, 4, 12s);
    j.last_end = 14s;
    all.parts.accounts.finish(j);
  }
  const auto s = all.sample(15s);
  CHECK(s.jobs_finished == 2);
  CHECK(s.delay.count() == 1);
  CHECK(s.job_response.count() == 1);
  CHECK(s.job_response.max() == doctest::Approx(4));
}
