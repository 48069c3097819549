#include "actors/scheduler/scheduler_core.hpp"
#include "support/best_score.hpp"
#include "support/model_builders.hpp"
#include "support/sample_of.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Scheduler 5 of a cluster of two partitions, {0, 1} and {2, 3}, each with an owner of its own;
/// two slots per machine. It takes the best ones first: 0, 2, 3, 1.
struct scheduler_core_gang_fixture {
  catalog machines = slot_catalog({4, 1, 3, 2}, 2, 2);
  std::vector<placement_outcome> told;
  scheduler_limits limits{.t_job = 10ms, .t_task = 2ms, .batch = 4};
  scheduler_core core = make();

  scheduler_core make() {
    return {5, machines, {0, 1}, std::make_unique<best_score>(told), limits, random_stream{1}, 0s};
  }

  void submit(job_id id, std::uint32_t tasks, bool gang = true) {
    std::vector<job> jobs{slot_job(id, tasks)};
    jobs[0].gang = gang;
    core.submit(std::move(jobs));
  }

  std::vector<scheduler_core::outgoing> place(instant now = 0s) {
    REQUIRE(core.decide(now));
    return core.commit(now);
  }

  static rejection refused(std::uint32_t index, conflict_cause cause = conflict_cause::taken,
                           std::int32_t slots_left = 0) {
    return {index, cause, 7, 0, resources::of_slots(slots_left)};
  }

  static rejection aborted(std::uint32_t index, std::int32_t slots_left = 2) {
    return refused(index, conflict_cause::aborted, slots_left);
  }

  attempt_counts attempts(instant now = 9s) { return sample_of(core, now).attempts; }
};

} // namespace

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "a gang on machines of one owner is committed together") {
  submit(1, 2);
  const auto out = place();
  REQUIRE(out.size() == 1);
  CHECK(out[0].second.mode == commit_mode::together);
  CHECK(core.answer({0, 1, {}}, 3s).empty());
  CHECK(core.counts().running == 2);
  const auto sample = sample_of(core, 3s);
  CHECK(sample.delay.mean() == 3);
  CHECK(sample.attempts.gangs_placed == 1);
  CHECK(sample.attempts.transactions == 1);
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "a gang on several owners is held by all and then launched by all") {
  submit(1, 3);
  CHECK(core.decide(0s) == 10ms + 3 * 2ms);
  const auto out = core.commit(0s);
  REQUIRE(out.size() == 2);
  CHECK(out[0].second.mode == commit_mode::hold);
  CHECK(out[0].second.placements.size() == 2);
  CHECK(out[1].second.mode == commit_mode::hold);
  CHECK(core.answer({1, 2, {}}, 1s).empty());
  CHECK(core.answer({1, 2, {}}, 1s).empty()); // a copy
  CHECK(core.counts().in_commit == 3);
  const auto settled = core.answer({0, 1, {}}, 2s);
  REQUIRE(settled.size() == 2);
  for (const auto& [owner, request] : settled) {
    CHECK(request.mode == commit_mode::launch);
    CHECK(request.settles == (owner == 0 ? 1 : 2));
    CHECK(request.answered_below == request.id);
  }
  CHECK(core.counts().running == 0);
  CHECK(core.answer({settled[0].first, settled[0].second.id, {}}, 4s).empty());
  CHECK(core.counts().in_commit > 0);
  core.answer({settled[1].first, settled[1].second.id, {}}, 5s);
  CHECK(core.counts().running == 3);
  const auto sample = sample_of(core, 9s);
  CHECK(sample.delay.max() == 2); // when it was accepted as a whole
  CHECK(sample.delay.min() == 2);
  CHECK(sample.attempts.gangs_placed == 1);
  CHECK(sample.attempts.gangs_broken == 0);
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "what the others hold is released where one owner refuses") {
  submit(1, 3);
  place();
  CHECK(core.answer({0, 1, {}}, 1s).empty());
  const auto settled = core.answer({1, 2, {refused(0)}}, 2s);
  REQUIRE(settled.size() == 1);
  CHECK(settled[0].first == 0);
  CHECK(settled[0].second.mode == commit_mode::release);
  CHECK(core.counts().in_commit == 3); // until all is known to be free
  CHECK_FALSE(core.decide(2s));
  core.answer({0, settled[0].second.id, {aborted(0), aborted(1)}}, 3s);
  CHECK(core.counts().queued == 3);
  CHECK(core.seen().free(0) == resources::of_slots(2));
  const auto again = place(3s);
  REQUIRE(again.size() == 2);
  CHECK(again[0].second.placements[0].task == task_id{1, 0});
  CHECK(again[1].second.placements[0].machine == 3);
  const auto sample = sample_of(core, 3s);
  CHECK(sample.conflicts == 1);
  CHECK(sample.attempts.aborted == 2);
  CHECK(sample.attempts.transactions == 1);
  CHECK(sample.attempts.conflicted == 1);
  CHECK(sample.attempts.gangs_placed == 0);
  CHECK(sample.attempts.wasted == 10ms + 3 * 2ms - 1ns); // a third each, in whole nanoseconds
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "a gang that one of its owners refuses again and again waits for a random time") {
  submit(1, 3);
  const auto try_in_vain = [&](instant now) {
    const auto out = place(now);
    REQUIRE(out.size() == 2);
    core.answer({0, out[0].second.id, {}}, now);
    const auto settled =
      core.answer({1, out[1].second.id, {refused(0, conflict_cause::changed, 2)}}, now);
    REQUIRE(settled.size() == 1);
    core.answer({0, settled[0].second.id, {aborted(0), aborted(1)}}, now);
  };
  for (int attempt = 1; attempt <= 8; ++attempt) {
    try_in_vain(instant{attempt * 1s});
    CHECK_FALSE(core.next_retry());
  }
  for (int attempt = 9; attempt <= 30; ++attempt) {
    const auto now = instant{attempt * 2s};
    try_in_vain(now);
    CHECK_FALSE(core.decide(now));
    REQUIRE(core.next_retry());
    CHECK(*core.next_retry() > now);
    CHECK(*core.next_retry() <= now + 1s);
  }
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "a commit that is held is repeated, so that its owner knows it is wanted") {
  submit(1, 3);
  place(0s);
  core.answer({0, 1, {}}, 1s);
  const auto again = core.overdue(2s);
  REQUIRE(again.size() == 2);
  CHECK(again[0].second.mode == commit_mode::hold);
  CHECK(sample_of(core, 2s).retransmits == 1); // the one that has not been answered
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "the part of a gang whose hold ran out is placed later on") {
  submit(1, 3);
  place();
  core.answer({0, 1, {}}, 1s);
  const auto settled = core.answer({1, 2, {}}, 1s);
  core.answer({settled[0].first, settled[0].second.id, {}}, 2s);
  core.answer({settled[1].first, settled[1].second.id, {refused(0)}}, 2s);
  const auto counts = core.counts();
  CHECK(counts.running == 2);
  CHECK(counts.queued == 1);
  CHECK(attempts().gangs_broken == 1);
  for (const auto& [_, request] : place(3s))
    CHECK(request.mode == commit_mode::each);
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "a batch does not split a gang, and a gang does not wait for one") {
  limits.batch = 2;
  core = make();
  submit(1, 1, false);
  submit(2, 5);
  submit(3, 1, false);
  CHECK(core.decide(0s) == 12ms); // the gang is not begun beside the first
  core.commit(0s);
  CHECK(core.decide(0s) == 10ms + 5 * 2ms);
  core.commit(0s);
  CHECK(core.counts().in_commit == 6);
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "a gang that does not fit lets others pass until the view has changed") {
  submit(1, 5, false);
  place();
  place();
  submit(2, 4); // three slots are left
  submit(3, 1, false);
  const auto out = place();
  REQUIRE(out.size() == 1);
  CHECK(out[0].second.placements[0].task == task_id{3, 0});
  CHECK(core.seen().units() == 2); // nothing stays charged
  CHECK(core.counts().queued == 4);
  CHECK_FALSE(core.next_retry()); // time alone does not make room
  submit(4, 1, false);
  core.refresh({0, 1, 9, {{0, 1s, {2, 2}, {}}}}, 1s);
  const auto next = place(1s); // all of it to machines 0 and 1
  REQUIRE(next.size() == 1);
  CHECK(next[0].second.mode == commit_mode::together);
  CHECK(next[0].second.placements[0].task == task_id{2, 0});
  CHECK(attempts().wait.count() == 3); // of jobs 1, 2 and 3
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "a gang that does not fit is given up after so many tries, whole") {
  limits.max_empty_attempts = 2;
  core = make();
  submit(1, 1, false);
  place();
  submit(2, 8);
  CHECK_FALSE(core.decide(0s));
  CHECK(core.counts().queued == 8);
  CHECK(core.next_retry() == 1s);
  CHECK_FALSE(core.decide(999ms));
  CHECK(core.counts().queued == 8);
  CHECK_FALSE(core.decide(1s));
  CHECK(core.counts().abandoned == 8);
  const auto sample = sample_of(core, 1s);
  CHECK(sample.attempts.jobs_abandoned == 1);
  CHECK(sample.attempts.gangs_impossible == 0);
  CHECK(sample.jobs_finished == 0);
  CHECK(sample.given_up.count() == 8);
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "all or nothing aborts what was decided on of a job, and no other job") {
  limits.all_or_nothing = true;
  core = make();
  submit(1, 2, false);
  submit(2, 6, false);
  const auto out = place(); // 1.0 and 1.1 to machine 0, 2.0 and 2.1 to machine 2
  REQUIRE(out.size() == 2);
  CHECK(out[0].second.mode == commit_mode::together);
  core.answer({0, 1, {}}, 1s);
  core.answer({1, 2, {refused(0), aborted(1, 0)}}, 1s);
  CHECK(core.counts().running == 2);
  CHECK(core.counts().queued == 6);
  CHECK(attempts().gangs_placed == 0);
  const auto next = place(1s);
  CHECK(next[0].second.placements[0].task == task_id{2, 0});
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "a job of which no attempt places a task is abandoned whole") {
  limits.max_empty_attempts = 2;
  limits.batch = 2;
  core = make();
  submit(1, 5, false);
  place();
  core.answer({0, 1, {refused(0, conflict_cause::taken, 2), refused(1, conflict_cause::taken, 2)}},
              1s);
  CHECK(core.counts().abandoned == 0);
  place(1s);
  place(1s); // 1.2 and 1.3 are under way when the job is given up
  core.answer({0, 2, {refused(0, conflict_cause::taken, 2), refused(1, conflict_cause::taken, 2)}},
              2s);
  CHECK(core.counts().abandoned == 3);
  CHECK(core.counts().in_commit == 2);
  core.answer({1, 3, {refused(1)}}, 3s);
  CHECK(core.counts().running == 1);
  CHECK(core.counts().abandoned == 4);
  CHECK(attempts().jobs_abandoned == 0); // it is not over
  core.report({1, 1, {{{1, 2}, 2, task_outcome::finished, 4s}}});
  CHECK(core.idle());
  CHECK(attempts().jobs_abandoned == 1);
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "a refused task waits for its delay, and others go on") {
  limits.retry.delay = 1s;
  core = make();
  submit(1, 1, false);
  place();
  core.answer({0, 1, {refused(0)}}, 2s);
  CHECK(core.counts().queued == 1);
  CHECK(core.next_retry() == 3s);
  CHECK_FALSE(core.decide(2999ms));
  submit(2, 1, false);
  CHECK(place(2999ms)[0].second.placements[0].task == task_id{2, 0});
  CHECK(place(3s)[0].second.placements[0].task == task_id{1, 0});
  CHECK_FALSE(core.next_retry());
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "a refused task waits for the version that the rejection names") {
  limits.retry.wait_for_refresh = true;
  core = make();
  submit(1, 1, false);
  place();
  auto why = refused(0);
  why.partition_version = 5;
  core.answer({0, 1, {why}}, 1s);
  CHECK_FALSE(core.decide(1s));
  core.refresh({0, 1, 1, {{0, 1s, {0, 2}, {}, {}, 4}}}, 2s);
  CHECK_FALSE(core.decide(2s));
  core.refresh({0, 2, 1, {{0, 3s, {0, 2}, {}, {}, 5}}}, 3s);
  CHECK(core.decide(3s));
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "refused tasks go to the back where the rule says so") {
  limits.retry.at_back = true;
  core = make();
  submit(1, 2, false);
  submit(2, 1, false);
  place();
  submit(3, 1, false);
  core.answer({0, 1, {refused(0), refused(1)}}, 1s);
  const auto out = place(1s);
  REQUIRE(out.size() == 1); // all to machines 2 and 3
  CHECK(out[0].second.placements[0].task == task_id{3, 0});
  CHECK(out[0].second.placements[1].task == task_id{1, 0});
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "further candidates are others of the same owner and are not charged") {
  limits.candidates = 3;
  core = make();
  submit(1, 2, false);
  const auto out = place();
  const auto& request = out[0].second;
  REQUIRE(request.alternatives.size() == 2); // machine 1 is the only other one of this owner
  for (std::uint32_t i = 0; i < 2; ++i) {
    CHECK(request.alternatives[i].index == i);
    CHECK(request.alternatives[i].machine == 1);
  }
  CHECK(core.seen().free(1) == resources::of_slots(2));
  core.answer({0, 1, {}, {{1, 1}}, {{1, 3, one_slot}, {0, 8, resources{}}}}, 1s);
  CHECK(core.seen().free(1) == one_slot);
  CHECK(core.seen().free(0) == resources{});
  CHECK(core.counts().running == 2);
  CHECK(told.back().machine == 1);
  const auto sample = sample_of(core, 1s);
  CHECK(sample.attempts.diverted == 1);
  CHECK(sample.conflicts == 0);
  CHECK(sample.quality.sum == 4 + 1);
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "a machine that refused is kept away from while another one fits") {
  limits.keep_away = 5s;
  core = make();
  submit(1, 1, false);
  place();
  core.answer({0, 1, {refused(0, conflict_cause::taken, 2)}}, 1s);
  CHECK(place(1s)[0].second.placements[0].machine == 2);
  submit(2, 6, false);
  place(2s);
  CHECK(place(2s).back().second.placements.back().machine == 0); // nothing else is left
  core.refresh({0, 1, 9, {{0, 6s, {2, 2}, {}}}}, 6s);
  submit(3, 1, false);
  CHECK(place(6s)[0].second.placements[0].machine == 0);
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "conflicts are counted by the age of what they were decided on") {
  limits.age_bin = 100ms;
  core = make();
  submit(1, 4, false);
  place(250ms);
  core.answer({0, 1, {refused(0)}}, 1s);
  core.answer({1, 2, {}}, 1s);
  const auto counted = attempts(1s);
  CHECK(counted.refused_by_age[2] == 1);
  CHECK(counted.granted_by_age[2] == 3);
  CHECK(counted.refused_age.mean() == doctest::Approx(0.25));
  CHECK(age_bin(5s, 100ms) == age_bins - 1);
  CHECK(age_bin(1s, 100ms) == age_bins - 1);
  CHECK(age_bin(999ms, 100ms) == 9);
}

TEST_CASE_FIXTURE(scheduler_core_gang_fixture,
                  "further candidates take no machine from a gang that spreads") {
  limits.candidates = 3;
  core = make();
  auto wide = slot_job(1, 4);
  wide.gang = wide.spread = true;
  core.submit({wide});
  std::size_t placed = 0;
  for (const auto& [to, commit] : place())
    placed += commit.placements.size();
  CHECK(placed == 4);
}
