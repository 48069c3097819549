#include "model/records/record_book.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

constexpr auto everything = std::numeric_limits<std::size_t>::max();

struct book_fixture {
  catalog machines = even_catalog(4, 2, 2);
  job two = slot_job(7, 2, 1s, 5s);
  record_book book{record_level::tasks, 3, machines, {0, 1}};

  /// Decides on a task, which has waited since its submission, within 10 ms, and has it granted
  /// after another 2 ms.
  void place(const task_id& task, machine_id on, instant from, duration view_age = 200ms) {
    book.begin_decision(from);
    book.decide(task, 1s, view_age, from + 10ms);
    book.grant(task, {on, 1s, from + 12ms, 1.5, view_age});
  }
};

/// All that records of jobs and tasks say of the past.
std::string text_of(const record_batch& records) {
  std::string text;
  const auto add = [&](const auto&... n) { ((text += std::to_string(n) + ' '), ...); };
  const auto add_state = [&](record_state s) { text += std::string{name_of(s)} + ' '; };
  for (const auto& j : records.jobs) {
    add_state(j.state);
    add(j.job, j.tasks, j.over[0], j.over[1], j.over[2], j.over[3], j.at.began.count(),
        j.at.decided.count(), j.at.first_placed.count(), j.at.last_placed.count(),
        j.at.ended.count(), j.attempts, j.placed.count, j.placed.delay.count(), j.preempted, j.lost,
        j.work_lost.count());
    for (const auto n : j.conflicts)
      add(n);
  }
  for (const auto& t : records.tasks) {
    add_state(t.state);
    add(t.task.index, t.at.eligible.count(), t.at.began.count(), t.at.decided.count(),
        t.at.granted.count(), t.at.started.count(), t.at.ended.count(), t.tallies.attempts,
        t.tallies.conflicts, t.tallies.runs, t.tallies.preempted, t.tallies.lost,
        t.tallies.work_lost.count(), t.tallies.refused.count(), t.tallies.backed_off.count(),
        t.tallies.last_conflict, t.machine, t.quality, t.view_age.count(), int{t.diverted});
  }
  return text;
}

} // namespace

TEST_CASE_FIXTURE(book_fixture, "a task and a job tell when they waited, were placed and ended") {
  book.submit(two);
  place({7, 0}, 1, 2s);
  place({7, 1}, 2, 4s);
  book.end({7, 0}, 7010ms, task_fate::finished);
  CHECK(book.take(everything).jobs.empty());
  book.end({7, 1}, 9010ms, task_fate::finished);
  const auto records = book.take(everything);
  REQUIRE(records.jobs.size() == 1);
  const auto& job = records.jobs[0];
  CHECK(job.job == 7);
  CHECK(job.scheduler == 3);
  CHECK(job.tasks == 2);
  CHECK(job.demand.amount[static_cast<std::size_t>(resource::slots)] == 2);
  CHECK(job.state == record_state::finished);
  CHECK(job.over[0] == 2);
  CHECK(job.at.submitted == 1s);
  CHECK(job.at.began == 2s);
  CHECK(job.at.decided == 2010ms);
  CHECK(job.at.first_placed == 2012ms);
  CHECK(job.at.last_placed == 4012ms);
  CHECK(job.at.ended == 9010ms);
  CHECK(job.ideal == 5s);
  CHECK(job.attempts == 2);
  CHECK(job.placed.count == 2);
  CHECK(job.placed.delay == 1012ms + 3012ms);
  CHECK(job.placed.longest_delay == 3012ms);
  CHECK(job.placed.quality == 3);
  CHECK(job.placed.aged == 2);
  CHECK(job.placed.view_age == 400ms);
  CHECK(job.used.amount[static_cast<std::size_t>(resource::slots)] == 10);
  book.end({7, 1}, 10s, task_fate::finished); // of a job that it does not know any more
  CHECK(book.take(everything).empty());
}

TEST_CASE_FIXTURE(book_fixture, "a task's record has its last run") {
  book.submit(two);
  place({7, 0}, 1, 2s);
  book.end({7, 0}, 7010ms, task_fate::finished);
  const auto records = book.take(everything);
  REQUIRE(records.tasks.size() == 1);
  const auto& task = records.tasks[0];
  CHECK(task.task == task_id{7, 0});
  CHECK(task.state == record_state::finished);
  CHECK(task.at.submitted == 1s);
  CHECK(task.at.eligible == 1s);
  CHECK(task.at.began == 2s);
  CHECK(task.at.decided == 2010ms);
  CHECK(task.at.granted == 2012ms);
  CHECK(task.at.started == 2010ms); // it ran for 5 s
  CHECK(task.at.ended == 7010ms);
  CHECK(task.machine == 1);
  CHECK(task.partition == machines.place_of(1).partition);
  CHECK(task.owner == task.partition); // as owners are numbered here
  CHECK(task.quality == 1.5);
  CHECK(task.view_age == 200ms);
  CHECK(task.tallies.runs == 1);
}

TEST_CASE_FIXTURE(book_fixture, "refusals are counted by cause, and each has a row") {
  book.submit(two);
  book.begin_decision(2s);
  book.decide({7, 0}, 1s, 300ms, 2010ms);
  attempt_record refusal;
  refusal.at = 2012ms;
  refusal.task = {7, 0};
  refusal.attempt = 1;
  refusal.machine = 3;
  refusal.cause = conflict_cause::changed;
  refusal.winner = 9;
  book.refuse(refusal);
  CHECK(book.take(everything).attempts.empty()); // it is not known yet when it is tried again
  book.retry({7, 0}, 2032ms, wait_reason::backing_off);
  book.begin_decision(2100ms);
  book.decide({7, 0}, 1s, 300ms, 2110ms);
  refusal.at = 2112ms;
  refusal.cause = conflict_cause::aborted;
  book.refuse(refusal);
  book.retry({7, 0}, 2112ms, wait_reason::behind_others);
  place({7, 0}, 1, 3s);
  book.end({7, 0}, 9s, task_fate::failed);
  auto records = book.take(everything);
  REQUIRE(records.attempts.size() == 2);
  CHECK(records.attempts[0].scheduler == 3);
  CHECK(records.attempts[0].partition == machines.place_of(3).partition);
  CHECK(records.attempts[0].winner == 9);
  CHECK(records.attempts[0].reason == wait_reason::backing_off);
  CHECK(records.attempts[0].retry_at == 2032ms);
  CHECK(records.attempts[1].reason == wait_reason::behind_others);
  CHECK(records.attempts[1].retry_at == 2112ms);
  REQUIRE(records.tasks.size() == 1);
  CHECK(records.tasks[0].tallies.attempts == 3);
  CHECK(records.tasks[0].tallies.conflicts == 1); // an abort is none
  CHECK(records.tasks[0].tallies.refused == 24ms);
  CHECK(records.tasks[0].tallies.backed_off == 20ms);
  CHECK(records.tasks[0].tallies.last_conflict == 1);
  CHECK(records.tasks[0].at.started == no_instant); // it has not run to its end
  book.end({7, 1}, 9s, task_fate::abandoned);
  records = book.take(everything);
  REQUIRE(records.jobs.size() == 1);
  CHECK(records.jobs[0].conflicts[1] == 1);
  CHECK(records.jobs[0].state == record_state::abandoned);
  CHECK(records.tasks.at(0).machine == no_machine);
}

TEST_CASE_FIXTURE(book_fixture, "lost and preempted runs cost work, and the task waits again") {
  book.submit(two);
  place({7, 0}, 1, 2s);
  book.lose({7, 0}, 3012ms);
  book.begin_decision(4s);
  book.decide({7, 0}, 3012ms, 0ms, 4010ms);
  book.grant({7, 0}, {2, 3012ms, 4012ms, 1, 0ms});
  book.preempt({7, 0}, 6s, 1900ms);
  book.finish_open();
  const auto records = book.take(everything);
  REQUIRE(records.tasks.size() == 2);
  const auto& task = records.tasks[0];
  CHECK(task.state == record_state::queued);
  CHECK(task.at.submitted == 1s);
  CHECK(task.at.eligible == 6s);
  CHECK(task.at.granted == no_instant);
  CHECK(task.machine == no_machine);
  CHECK(task.tallies.runs == 2);
  CHECK(task.tallies.lost == 1);
  CHECK(task.tallies.preempted == 1);
  CHECK(task.tallies.work_lost == 1s + 1900ms);
  REQUIRE(records.jobs.size() == 1);
  CHECK(records.jobs[0].state == record_state::queued);
  CHECK(records.jobs[0].work_lost == 2900ms);
  CHECK(records.jobs[0].placed.count == 2);
}

TEST_CASE_FIXTURE(book_fixture,
                  "what is not over at the end is recorded with its place, by number") {
  job staged{2, 0s, 0s, {{1, one_slot, {2s}}, {1, one_slot, {3s}}}};
  staged.groups[1].after = {0};
  book.submit(two);
  book.submit(staged);
  place({7, 0}, 1, 2s);
  book.decide({7, 1}, 1s, 0ms, 5s);
  book.finish_open();
  const auto records = book.take(everything);
  REQUIRE(records.jobs.size() == 2);
  CHECK(records.jobs[0].job == 2);
  CHECK(records.jobs[0].state == record_state::queued);
  CHECK(records.jobs[0].ideal == 5s);
  CHECK(records.jobs[1].job == 7);
  CHECK(records.jobs[1].state == record_state::running);
  REQUIRE(records.tasks.size() == 4);
  CHECK(records.tasks[0].state == record_state::queued);
  CHECK(records.tasks[1].state == record_state::waiting);
  CHECK(records.tasks[1].at.eligible == no_instant);
  CHECK(records.tasks[2].state == record_state::running);
  CHECK(records.tasks[3].state == record_state::in_commit);
}

TEST_CASE_FIXTURE(book_fixture, "a stage is eligible from the end of the one before") {
  job staged{2, 0s, 0s, {{1, one_slot, {2s}}, {1, one_slot, {3s}}}};
  staged.groups[1].after = {0};
  book.submit(staged);
  book.start({2, 0}, {0, 0s, 1s, 1});
  book.end({2, 0}, 3s, task_fate::finished);
  book.finish_open();
  const auto records = book.take(everything);
  REQUIRE(records.tasks.size() == 2);
  CHECK(records.tasks[1].state == record_state::queued);
  CHECK(records.tasks[1].at.eligible == 3s);
  CHECK(records.tasks[1].task_group == 1);
}

TEST_CASE_FIXTURE(book_fixture, "jobs alone can be recorded") {
  record_book jobs_only{record_level::jobs, 3, machines, {0, 1}};
  jobs_only.submit(two);
  jobs_only.begin_decision(2s);
  for (std::uint32_t i = 0; i < 2; ++i) {
    jobs_only.decide({7, i}, 1s, 0ms, 2s);
    jobs_only.grant({7, i}, {i, 1s, 2s, 1, 0ms});
  }
  jobs_only.lose({7, 0}, 4s);
  jobs_only.grant({7, 0}, {2, 4s, 5s, 1, 0ms});
  jobs_only.end({7, 0}, 10s, task_fate::finished);
  jobs_only.end({7, 1}, 7s, task_fate::finished);
  const auto records = jobs_only.take(everything);
  CHECK(records.tasks.empty());
  REQUIRE(records.jobs.size() == 1);
  CHECK(records.jobs[0].lost == 1);
  CHECK(records.jobs[0].work_lost == 2s);
  CHECK(records.jobs[0].at.ended == 10s);
}

TEST_CASE_FIXTURE(book_fixture, "a job that is taken over counts what was over before") {
  book.submit(two);
  book.close_before(7, {0}, task_fate::finished);
  book.run_before({7, 1}, 2);
  book.end({7, 1}, 9s, task_fate::finished);
  const auto records = book.take(everything);
  REQUIRE(records.tasks.size() == 1);
  CHECK(records.tasks[0].at.granted == no_instant);
  CHECK(records.tasks[0].machine == 2);
  REQUIRE(records.jobs.size() == 1);
  CHECK(records.jobs[0].over[0] == 2);
}

TEST_CASE_FIXTURE(book_fixture, "a task may have started before what it waits for runs again") {
  job staged{2, 0s, 0s, {{1, one_slot, {2s}}, {1, one_slot, {3s}}}};
  staged.groups[1].after = {0};
  book.submit(staged);
  book.run_before({2, 1}, 2); // an earlier incarnation had given up what comes before
  book.start({2, 0}, {0, 4s, 5s, 1});
  book.end({2, 0}, 7s, task_fate::finished);
  book.end({2, 1}, 9s, task_fate::finished);
  const auto records = book.take(everything);
  REQUIRE(records.tasks.size() == 2);
  CHECK(records.tasks[1].task.index == 1);
  CHECK(records.tasks[1].at.started == 6s);
  CHECK(records.tasks[1].at.eligible == no_instant);
}

TEST_CASE_FIXTURE(book_fixture, "records can be taken piece by piece") {
  for (job_id id = 0; id < 4; ++id) {
    const auto one = slot_job(id, 1);
    book.submit(one);
    book.start({id, 0}, {0, 0s, 0s, 1});
    book.end({id, 0}, 1s, task_fate::finished);
  }
  auto piece = book.take(3);
  CHECK(piece.tasks.size() == 3);
  CHECK(piece.more);
  piece = book.take(3);
  CHECK(piece.tasks.size() == 1);
  CHECK(piece.tasks[0].task.job == 3);
  CHECK(piece.jobs.size() == 2);
  CHECK(piece.more);
  piece = book.take(3);
  CHECK(piece.jobs.size() == 2);
  CHECK(piece.jobs[1].job == 3);
  CHECK_FALSE(piece.more);
}

TEST_CASE_FIXTURE(book_fixture, "in the end it is told why tasks wait, and of open refusals") {
  book.submit(two);
  place({7, 0}, 1, 2s);
  book.decide({7, 1}, 1s, 300ms, 2010ms);
  attempt_record refusal;
  refusal.at = 2012ms;
  refusal.task = {7, 1};
  refusal.machine = 3;
  book.refuse(refusal);
  book.finish_open([](const task_id& task) {
    CHECK(task == task_id{7, 1}); // the other one runs
    return wait_reason::in_commit;
  });
  const auto records = book.take(everything);
  REQUIRE(records.attempts.size() == 1);
  CHECK(records.attempts[0].reason == wait_reason::none);
  CHECK(records.attempts[0].retry_at == no_instant);
  REQUIRE(records.tasks.size() == 2);
  CHECK(records.tasks[0].reason == wait_reason::none);
  CHECK(records.tasks[1].reason == wait_reason::in_commit);
  REQUIRE(records.jobs.size() == 1);
  CHECK(records.jobs[0].reason == wait_reason::in_commit);
}

TEST_CASE_FIXTURE(book_fixture, "a job's record has nothing of the jobs before it") {
  book.submit(two);
  place({7, 0}, 1, 2s);
  book.refuse({2012ms, {7, 1}, 1, 3, 0, 0, 3});
  book.retry({7, 1}, 3s, wait_reason::backing_off);
  book.lose({7, 0}, 3s);
  place({7, 0}, 1, 4s);
  place({7, 1}, 1, 4s);
  book.preempt({7, 1}, 5s, 1s);
  place({7, 1}, 2, 6s);
  book.end({7, 0}, 9s, task_fate::failed);
  book.end({7, 1}, 9s, task_fate::lost);
  book.take(everything);
  const auto next = slot_job(8, 3, 1s, 5s);
  record_book fresh{record_level::tasks, 3, machines, {0, 1}};
  for (auto* b : {&book, &fresh}) {
    b->submit(next);
    b->end({8, 1}, 9s, task_fate::abandoned);
    b->finish_open();
  }
  const auto again = book.take(everything);
  const auto first = fresh.take(everything);
  REQUIRE(again.tasks.size() == 3);
  REQUIRE(again.jobs.size() == 1);
  CHECK(text_of(again) == text_of(first));
  CHECK(again.attempts.empty());
}
