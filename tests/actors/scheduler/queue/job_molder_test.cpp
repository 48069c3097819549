#include "actors/scheduler/queue/job_molder.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

scheduler_limits molding_limits() {
  auto limits = small_limits(view_source::own_tasks);
  limits.batch = 100;
  limits.discipline = start_discipline::easy;
  limits.width = width_rule::earliest_finish;
  return limits;
}

/// A job that asks for 4 slots for a minute, and may have 1 to 16; with linear speedup.
job moldable(job_id id) {
  auto j = slot_job(id, 1);
  j.gang = true;
  j.mold = {4, 1, 16, 60s, 60s, {}, false};
  mold(j, 1);
  return j;
}

/// A scheduler of 8 slots.
struct molding_fixture : scheduler_fixture {
  molding_fixture() : scheduler_fixture(molding_limits()) {}

  std::uint64_t molded() { return parts.counters.of(0).molded; }

  std::size_t tasks_in(const std::vector<outgoing_commit>& sent) {
    std::size_t n = 0;
    for (const auto& [_, commit] : sent)
      n += commit.placements.size();
    return n;
  }

  /// Grants commits, and what settles them.
  void grant_all(const std::vector<outgoing_commit>& sent) {
    for (const auto& s : sent)
      grant_all(grant(s));
  }

  void balances() {
    CHECK(parts.counters.balanced(0));
    CHECK(counts().queued == parts.waiting.count());
  }
};

} // namespace

TEST_CASE_FIXTURE(molding_fixture, "a job waits with its least width and starts with another one") {
  parts.intake.submit(moldable(1));
  CHECK(counts().submitted == 1);
  const auto sent = place();
  CHECK(tasks_in(sent) == 8);
  for (const auto& [_, commit] : sent)
    for (const auto& p : commit.placements)
      CHECK(p.runtime == 30s);
  CHECK(jobs().find_job(1)->estimate == 30s);
  CHECK(counts().submitted == 8);
  CHECK(counts().in_commit == 8);
  CHECK(molded() == 7);
  balances();
  grant_all(sent);
  CHECK(counts().running == 8);
  CHECK(jobs().find_job(1)->mold.settled);
  for (std::uint32_t i = 0; i < 8; ++i)
    parts.ends.end({{1, i}, i / 2, task_outcome::finished, 30s});
  CHECK(counts().finished == 8);
  CHECK(jobs().open_jobs() == 0);
}

TEST_CASE_FIXTURE(molding_fixture, "a job whose commit is refused keeps its width") {
  parts.intake.submit(moldable(1));
  const auto sent = place();
  REQUIRE(sent.size() == 2); // held at both owners
  grant(sent[0]);
  for (const auto& release : refuse(sent[1]))
    refuse(release);
  CHECK(counts().queued == 8);
  balances();
  CHECK(tasks_in(place(10s)) == 8);
  CHECK(counts().submitted == 8);
  CHECK(molded() == 7);
}

TEST_CASE_FIXTURE(molding_fixture, "a decision that is withdrawn leaves the job with its width") {
  parts.intake.submit(moldable(1));
  REQUIRE(parts.decisions.decide(0s, {}));
  parts.decisions.withdraw(0s);
  CHECK(counts().queued == 8);
  balances();
  CHECK(tasks_in(place(1s)) == 8);
}

TEST_CASE_FIXTURE(molding_fixture,
                  "a job that finds too few machines starts with a narrower width") {
  auto j = moldable(1);
  j.spread = true; // four machines, and eight slots
  parts.intake.submit(std::move(j));
  CHECK(tasks_in(place()) == 4);
  CHECK(counts().submitted == 4);
  CHECK(molded() == 3);
  balances();
}

TEST_CASE_FIXTURE(molding_fixture, "a job for which there are no machines has its least width") {
  auto others = slot_job(1, 4);
  others.gang = true;
  others.spread = true;
  parts.intake.submit(std::move(others));
  grant_all(place());
  REQUIRE(counts().running == 4);

  auto j = moldable(2);
  j.groups[0].demand = resources::of_slots(2); // four slots are free, each on another machine
  parts.intake.submit(std::move(j));
  CHECK_FALSE(parts.decisions.decide(0s, {}));
  CHECK(counts().submitted == 5);
  CHECK(counts().queued == 1);
  CHECK(molded() == 0);
  balances();
}

TEST_CASE_FIXTURE(molding_fixture, "the job store hears of the width before any task is launched") {
  watch_failures();
  parts.earlier.deliver({0, 1, 1, false, {{moldable(1), {}}}});
  const auto sent = place();
  REQUIRE(sent.size() == 2);
  for (const auto& s : sent) {
    CHECK(s.second.mode == commit_mode::hold);
    CHECK(grant(s).empty());
  }
  CHECK(parts.failover->tallies().at(0).taken == 8);
  CHECK(parts.failover->tallies().at(0).added == 7);
  CHECK(parts.failover->tallies().at(0).untold == 0);
  const auto news = parts.failover->news(1s, 1s);
  REQUIRE(news.size() == 1);
  CHECK(news[0].second.widths == std::vector<std::uint32_t>{8});
  CHECK(news[0].second.over.at(0).job == 1);
  CHECK(parts.answers.launch_told(1s).empty());
  parts.failover->confirm({0, 1, 1}, 2s);
  const auto launched = parts.answers.launch_told(2s);
  REQUIRE(launched.size() == 2);
  CHECK(launched[0].second.mode == commit_mode::launch);
  CHECK(tasks_in(launched) == 8);
  CHECK(parts.answers.launch_told(2s).empty());
  for (const auto& l : launched)
    grant(l);
  CHECK(counts().running == 8);
  CHECK(parts.failover->tallies().at(0).added == 0);
}

TEST_CASE_FIXTURE(molding_fixture,
                  "one owner, too, holds a job until the job store knows its width") {
  watch_failures();
  auto narrow = moldable(1);
  narrow.mold.requested = narrow.mold.most = 2;
  parts.intake.submit(std::move(narrow));
  const auto sent = place();
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].second.mode == commit_mode::hold);
  parts.failover->news(0s, 1s);
  parts.failover->confirm({0, 1, 1}, 1s); // before the owner has answered
  CHECK(parts.answers.launch_told(1s).empty());
  CHECK(grant(sent[0]).size() == 1);
}

TEST_CASE_FIXTURE(molding_fixture, "a successor takes a job over with its width") {
  watch_failures(2);
  auto j = moldable(1);
  mold(j, 8);
  j.mold.settled = true;
  parts.earlier.hear({0, session_base(1, 2), {{{1, 0}, 0}, {{1, 2}, 1}}});
  parts.earlier.deliver({0, 2, 1, true, {{j, {1}}, {moldable(2), {}}}});
  parts.earlier.hear({1, session_base(1, 2), {{{1, 3}, 2}, {{1, 5}, 3}}});
  CHECK(jobs().find_job(1)->task_count() == 8);
  CHECK(counts().running == 4);
  CHECK(counts().queued == 4); // three of it, and the other job, which has not started
  CHECK(jobs().find_job(2)->mold.is_open());
}
