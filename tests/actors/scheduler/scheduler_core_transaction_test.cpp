#include "actors/scheduler/scheduler_core.hpp"
#include "support/best_score.hpp"
#include "support/model_builders.hpp"
#include "support/sample_of.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

const scheduler_limits by_job{.t_job = 10ms, .t_task = 2ms, .batch = 2, .one_job = true};

/// A scheduler of two partitions of two machines, each with an owner of its own; four slots per
/// machine. Machine 0 is the best, of owner 0.
struct scheduler_core_transaction_fixture {
  catalog machines = slot_catalog({4, 1, 3, 2}, 2, 4);
  std::vector<placement_outcome> told;
  scheduler_core core = with(by_job);

  scheduler_core with(const scheduler_limits& l, std::vector<tenant_quota> tenants = {}) {
    return {
      0, machines,          {0, 1}, std::make_unique<best_score>(told), l, random_stream{1}, 0s,
      0, std::move(tenants)};
  }

  static rejection refuse(std::uint32_t index) {
    return {index, conflict_cause::taken, 7, 0, resources{}};
  }
};

std::vector<job_id> jobs_in(const std::vector<scheduler_core::outgoing>& out) {
  std::vector<job_id> jobs;
  for (const auto& o : out)
    for (const auto& p : o.second.placements)
      jobs.push_back(p.task.job);
  return jobs;
}

} // namespace

TEST_CASE_FIXTURE(scheduler_core_transaction_fixture,
                  "a transaction is one job, however small a batch is") {
  core.submit({slot_job(1, 3), slot_job(2, 1)});
  CHECK(core.decide(0s) == 10ms + 3 * 2ms);
  CHECK(jobs_in(core.commit(0s)) == std::vector<job_id>{1, 1, 1});
  CHECK(core.decide(0s) == 10ms + 2ms);
  CHECK(jobs_in(core.commit(0s)) == std::vector<job_id>{2});
}

TEST_CASE_FIXTURE(scheduler_core_transaction_fixture,
                  "what was refused of a job is one transaction again, and pays t_job") {
  core.submit({slot_job(1, 6), slot_job(2, 1)});
  REQUIRE(core.decide(0s));
  const auto out = core.commit(0s); // four to owner 0, two to owner 1
  REQUIRE(out.size() == 2);
  core.answer({0, out[0].second.id, {refuse(0), refuse(3)}}, 1s);
  CHECK(core.counts().in_commit == 4); // with the answered ones, until both owners have
  core.answer({1, out[1].second.id, {refuse(1)}}, 1s);
  CHECK(core.counts().in_commit == 0);
  CHECK(core.counts().queued == 4);
  CHECK(core.decide(1s) == 10ms + 3 * 2ms);
  CHECK(jobs_in(core.commit(1s)) == std::vector<job_id>{1, 1, 1});
  const auto sample = sample_of(core, 1s);
  CHECK(sample.attempts.transactions == 1);
  CHECK(sample.attempts.conflicted == 1);
  CHECK(sample.conflicts == 3);
}

TEST_CASE_FIXTURE(scheduler_core_transaction_fixture,
                  "jobs refused one after the other are not mixed") {
  core.submit({slot_job(1, 1), slot_job(2, 2)});
  std::vector<scheduler_core::outgoing> sent;
  for (int i = 0; i < 2; ++i) {
    REQUIRE(core.decide(0s));
    for (auto& o : core.commit(0s))
      sent.push_back(std::move(o));
  }
  REQUIRE(sent.size() == 2);
  core.answer({0, sent[0].second.id, {refuse(0)}}, 1s);
  core.answer({0, sent[1].second.id, {refuse(0), refuse(1)}}, 1s);
  CHECK(core.decide(1s) == 10ms + 2 * 2ms);
  CHECK(jobs_in(core.commit(1s)) == std::vector<job_id>{2, 2});
  CHECK(core.decide(1s) == 10ms + 2ms);
  CHECK(jobs_in(core.commit(1s)) == std::vector<job_id>{1});
}

TEST_CASE_FIXTURE(scheduler_core_transaction_fixture, "tenants take turns by the job") {
  core = with(by_job, {{}, {}});
  auto theirs = slot_job(2, 3);
  theirs.tenant = 1;
  core.submit({slot_job(1, 3), theirs});
  REQUIRE(core.decide(0s));
  CHECK(jobs_in(core.commit(0s)) == std::vector<job_id>{1, 1, 1});
  REQUIRE(core.decide(0s));
  CHECK(jobs_in(core.commit(0s)) == std::vector<job_id>{2, 2, 2});
}

TEST_CASE_FIXTURE(scheduler_core_transaction_fixture,
                  "what finds no room yet is a transaction of its own later") {
  core.submit({slot_job(1, 17), slot_job(2, 1)});
  CHECK(core.decide(0s) == 10ms + 16 * 2ms); // all that there is
  core.commit(0s);
  CHECK_FALSE(core.decide(0s));
  CHECK(core.counts().queued == 2);
}
