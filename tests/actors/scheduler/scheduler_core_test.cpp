#include "actors/scheduler/scheduler_core.hpp"
#include "support/best_score.hpp"
#include "support/model_builders.hpp"
#include "support/sample_of.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

const scheduler_limits limits{
  .t_job = 10ms, .t_task = 2ms, .batch = 4, .max_attempts = 3, .commit_timeout = 2s};

/// Scheduler 5 of a cluster of two partitions, {0, 1} and {2, 3}, each with an owner of its own;
/// two slots per machine.
struct scheduler_core_fixture {
  catalog machines = slot_catalog({4, 1, 3, 2}, 2, 2);
  std::vector<placement_outcome> told;
  scheduler_core core = with(limits);

  scheduler_core with(const scheduler_limits& l) {
    return {5, machines, {0, 1}, std::make_unique<best_score>(told), l, random_stream{1}, 0s};
  }

  void submit(job j) {
    std::vector<job> jobs;
    jobs.push_back(std::move(j));
    core.submit(std::move(jobs));
  }

  /// Decides on a batch and hands it out.
  std::vector<scheduler_core::outgoing> place(instant now = 0s) {
    REQUIRE(core.decide(now));
    return core.commit(now);
  }

  static rejection refuse(std::uint32_t index, std::int32_t slots_left = 0) {
    return {index, conflict_cause::taken, 7, 0, resources::of_slots(slots_left)};
  }

  static task_report report(owner_id owner, std::uint64_t number, std::vector<task_id> tasks,
                            task_outcome outcome = task_outcome::finished, instant at = 9s) {
    task_report r{owner, number, {}};
    for (const auto& t : tasks)
      r.ends.push_back({t, 0, outcome, at});
    return r;
  }
};

std::vector<task_id> tasks_of(const commit_request& request) {
  std::vector<task_id> out;
  for (const auto& p : request.placements)
    out.push_back(p.task);
  return out;
}

} // namespace

TEST_CASE_FIXTURE(scheduler_core_fixture, "a batch is split into a commit for each owner") {
  submit(slot_job(1, 4));
  REQUIRE(core.decide(0s)); // machine 0, of owner 0, twice; then machine 2, of owner 1
  CHECK(core.counts().in_commit == 4);
  const auto out = core.commit(1s);
  REQUIRE(out.size() == 2);
  CHECK(out[0].first == 0);
  CHECK(out[0].second.scheduler == 5);
  CHECK(out[0].second.id == 1);
  CHECK(tasks_of(out[0].second) == std::vector<task_id>{{1, 0}, {1, 1}});
  CHECK(out[0].second.placements[1].machine == 0);
  CHECK(out[0].second.placements[1].demand == one_slot);
  CHECK(out[0].second.placements[1].runtime == 1s);
  CHECK(out[1].first == 1);
  CHECK(out[1].second.id == 2);
  CHECK(tasks_of(out[1].second) == std::vector<task_id>{{1, 2}, {1, 3}});
  CHECK(core.commit(1s).empty());
  CHECK(sample_of(core, 1s).commits == 2);
}

TEST_CASE_FIXTURE(scheduler_core_fixture,
                  "a decision costs t_job for each job and t_task for each task") {
  submit(slot_job(1, 1));
  submit(slot_job(2, 6));
  CHECK(core.decide(0s) == 2 * 10ms + 4 * 2ms); // jobs 1 and 2
  core.commit(0s);
  CHECK(core.decide(0s) == 3 * 2ms); // the rest of job 2
  core.commit(0s);
  CHECK_FALSE(core.decide(0s));
  CHECK(sample_of(core, 0s).busy == 2 * 10ms + 7 * 2ms);
}

TEST_CASE_FIXTURE(scheduler_core_fixture,
                  "deciding once more on refused tasks costs as much as at first") {
  submit(slot_job(1, 2));
  submit(slot_job(2, 1));
  const auto out = place();
  core.answer({0, 1, {refuse(0), refuse(1)}}, 1s);
  core.answer({1, 2, {refuse(0)}}, 1s);
  CHECK(core.decide(1s) == 2 * 10ms + 3 * 2ms);
}

TEST_CASE_FIXTURE(scheduler_core_fixture,
                  "nothing is decided on while there is no room for the head") {
  submit(slot_job(3, 7));
  place();
  place();
  auto big = slot_job(1, 1);
  big.groups[0].demand = resources::of_slots(2);
  submit(std::move(big));
  submit(slot_job(2, 1));
  CHECK_FALSE(core.decide(0s));
  CHECK(core.counts().queued == 2);
}

TEST_CASE_FIXTURE(scheduler_core_fixture,
                  "a task that fits on no machine of the cluster is abandoned") {
  auto big = slot_job(1, 1);
  big.groups[0].demand = resources::of_slots(3);
  submit(std::move(big));
  submit(slot_job(2, 1));
  CHECK(core.decide(0s));
  CHECK(core.counts().abandoned == 1);
  CHECK(core.counts().queued == 0);
}

TEST_CASE_FIXTURE(scheduler_core_fixture, "a batch ends where the room ends") {
  submit(slot_job(1, 20));
  CHECK(place()[0].second.placements.size() == 2);
  place();
  CHECK(core.counts().in_commit == 8);
  CHECK_FALSE(core.decide(0s));
  CHECK(core.counts().queued == 12);
  CHECK(core.seen().units() == 0);
}

TEST_CASE_FIXTURE(scheduler_core_fixture,
                  "an answer books what was granted, with its delay and quality") {
  submit(slot_job(1, 4, 1s));
  place(2s);
  core.answer({0, 1, {}}, 3500ms);
  CHECK(core.counts().running == 2);
  CHECK(core.counts().in_commit == 2);
  CHECK(core.counts().placed == 2);
  core.answer({0, 1, {}}, 4s); // a copy
  core.answer({1, 1, {}}, 4s); // never sent to this owner
  CHECK(core.counts().placed == 2);
  REQUIRE(told.size() == 2);
  CHECK(told[0].accepted);
  CHECK(told[0].delay == 2500ms);
  const auto sample = sample_of(core, 4s);
  CHECK(sample.delay.count() == 2);
  CHECK(sample.delay.mean() == doctest::Approx(2.5));
  CHECK(sample.quality.mean() == 4);
  CHECK(sample.placement_age.mean() == 2); // as the view was at 2 s
  CHECK(sample.tasks.placed == 2);
}

TEST_CASE_FIXTURE(scheduler_core_fixture,
                  "a refusal corrects the view and puts the tasks at the head in order") {
  submit(slot_job(1, 6));
  place(); // 1.0 and 1.1 to machine 0, 1.2 and 1.3 to machine 2
  core.answer({0, 1, {refuse(0), refuse(1)}}, 1s);
  CHECK(core.counts().queued == 4);
  CHECK(core.counts().in_commit == 2);
  CHECK(core.seen().free(0) == resources{});
  const auto next = place(1s);
  REQUIRE(next.size() == 2); // two to machine 3 and two to machine 1
  CHECK(tasks_of(next[0].second) == std::vector<task_id>{{1, 0}, {1, 1}});
  CHECK(tasks_of(next[1].second) == std::vector<task_id>{{1, 4}, {1, 5}});
  REQUIRE(told.size() == 2);
  CHECK_FALSE(told[0].accepted);
  CHECK(told[0].cause == conflict_cause::taken);
  const auto sample = sample_of(core, 1s);
  CHECK(sample.conflicts == 2);
  CHECK(sample.conflicts_by_cause == std::array<std::uint64_t, conflict_causes>{2, 0, 0, 0});
}

TEST_CASE_FIXTURE(scheduler_core_fixture,
                  "a task is abandoned after as many refusals as are allowed") {
  submit(slot_job(1, 1));
  for (commit_id id = 1; id <= 3; ++id) {
    CHECK(core.counts().queued == 1);
    place();
    core.answer({0, id, {refuse(0, 2)}}, 1s);
  }
  CHECK(core.counts().queued == 0);
  CHECK(core.counts().abandoned == 1);
  CHECK(core.counts().balanced());
  CHECK(core.idle());
  const auto sample = sample_of(core, 1s);
  CHECK(sample.jobs_finished == 0);
  CHECK(sample.attempts.jobs_abandoned == 1);
  CHECK(sample.given_up.max() == doctest::Approx(1));
  CHECK(sample.broken_jobs.count() == 1);
}

TEST_CASE_FIXTURE(scheduler_core_fixture, "without a limit a task is never abandoned") {
  auto unlimited = limits;
  unlimited.max_attempts = 0;
  core = with(unlimited);
  submit(slot_job(1, 1));
  for (commit_id id = 1; id <= 50; ++id) {
    place();
    core.answer({0, id, {refuse(0, 2)}}, 1s);
  }
  CHECK(core.counts().queued == 1);
  CHECK(core.counts().abandoned == 0);
}

TEST_CASE_FIXTURE(scheduler_core_fixture, "reports are booked in their order, each once") {
  submit(slot_job(1, 4, 1s));
  place();
  core.answer({0, 1, {}}, 1s);
  core.answer({1, 2, {}}, 1s);
  CHECK(core.report(report(0, 2, {{1, 1}}, task_outcome::failed)) == 0); // too early
  CHECK(core.counts().failed == 0);
  CHECK(core.report(report(0, 1, {{1, 0}})) == 2);
  CHECK(core.report(report(0, 1, {{1, 0}})) == 2); // copies
  CHECK(core.report(report(0, 2, {{1, 1}}, task_outcome::failed)) == 2);
  CHECK(core.counts().finished == 1);
  CHECK(core.counts().failed == 1);
  CHECK(core.reports_seen(0) == 2);
  CHECK(core.reports_seen(1) == 0);
  CHECK(core.report(report(1, 1, {{1, 3}, {1, 2}}, task_outcome::finished, 12s)) == 1);
  CHECK(core.counts().finished == 3);
  CHECK(core.counts().running == 0);
  CHECK(core.counts().balanced());
  CHECK(core.idle());
  const auto sample = sample_of(core, 12s);
  CHECK(sample.jobs_finished == 0); // a task has failed
  CHECK(sample.jobs_failed == 1);
  CHECK(sample.job_response.empty());
  CHECK(sample.broken_jobs.mean() == doctest::Approx(11));
  CHECK(sample.duplicate_grants == 0);
}

TEST_CASE_FIXTURE(scheduler_core_fixture,
                  "the end of a task whose answer is still to come has to wait for it") {
  submit(slot_job(1, 2));
  place();
  CHECK(core.report(report(0, 1, {{1, 0}})) == 0);
  CHECK(core.report(report(0, 2, {{1, 1}})) == 0);
  CHECK(core.counts().in_commit == 2);
  CHECK(core.counts().running == 0);
  CHECK(core.counts().finished == 0);
  core.answer({0, 1, {}}, 1s);
  CHECK(core.reports_seen(0) == 2);
  CHECK(core.counts().running == 0);
  CHECK(core.counts().finished == 2);
  CHECK(core.idle());
}

TEST_CASE_FIXTURE(scheduler_core_fixture,
                  "a task that was lost with its machine is queued again at the head") {
  submit(slot_job(1, 5));
  place();
  core.answer({0, 1, {}}, 1s);
  core.report(report(0, 1, {{1, 1}}, task_outcome::lost));
  CHECK(core.counts().queued == 2);
  CHECK(core.counts().running == 1);
  CHECK(core.counts().balanced());
  const auto next = place(2s);
  CHECK(tasks_of(next[0].second) == std::vector<task_id>{{1, 1}, {1, 4}});
}

TEST_CASE_FIXTURE(scheduler_core_fixture,
                  "what an owner has answered and what has been seen is told to it") {
  submit(slot_job(1, 8));
  place();
  auto out = place();
  CHECK(out[0].second.id == 3);
  CHECK(out[0].second.answered_below == 2); // owner 1 has not answered commit 2
  CHECK(out[0].second.reports_seen == 0);
  core.answer({1, 3, {refuse(0, 2)}}, 1s);
  core.answer({1, 2, {}}, 1s);
  core.report(report(1, 1, {{1, 2}}));
  out = place(2s);
  CHECK(out[0].first == 1);
  CHECK(out[0].second.answered_below == 5);
  CHECK(out[0].second.reports_seen == 1);
}

TEST_CASE_FIXTURE(scheduler_core_fixture,
                  "commits without an answer are sent again, and booked once") {
  submit(slot_job(1, 4));
  place(0s);
  core.answer({1, 2, {}}, 1s);
  CHECK(core.overdue(1999ms).empty());
  auto again = core.overdue(2s);
  REQUIRE(again.size() == 1);
  CHECK(again[0].first == 0);
  CHECK(again[0].second.id == 1);
  CHECK(again[0].second.answered_below == 1);
  CHECK(tasks_of(again[0].second) == std::vector<task_id>{{1, 0}, {1, 1}});
  CHECK(core.overdue(3s).empty());
  CHECK(core.overdue(4s).size() == 1);
  CHECK(core.counts().in_commit == 2);
  core.answer({0, 1, {}}, 5s);
  core.answer({0, 1, {}}, 5s);
  CHECK(core.overdue(9s).empty());
  CHECK(core.counts().running == 4);
  const auto sample = sample_of(core, 9s);
  CHECK(sample.retransmits == 2);
  CHECK(sample.tasks.placed == 4);
}

TEST_CASE_FIXTURE(scheduler_core_fixture,
                  "a sample has what grew since the last one, and what is now") {
  submit(slot_job(1, 6));
  place();
  core.answer({0, 1, {}}, 1s);
  auto sample = sample_of(core, 1s);
  CHECK(sample.tasks.submitted == 6);
  CHECK(sample.tasks.placed == 2);
  CHECK(sample.tasks.running == 2);
  CHECK(sample.tasks.in_commit == 2);
  CHECK(sample.tasks.queued == 2);
  CHECK(sample.waited == 6);
  core.answer({1, 2, {refuse(1)}}, 2s);
  sample = sample_of(core, 2s);
  CHECK(sample.tasks.submitted == 0);
  CHECK(sample.tasks.placed == 1);
  CHECK(sample.tasks.running == 3);
  CHECK(sample.tasks.in_commit == 0);
  CHECK(sample.tasks.queued == 3);
  CHECK(sample.conflicts == 1);
  CHECK(sample.waited == 4);
  sample = sample_of(core, 3s);
  CHECK(sample.conflicts == 0);
  CHECK(sample.waited == 3);
}
