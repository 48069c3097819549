#include "actors/scheduler/scheduler_core.hpp"
#include "support/best_score.hpp"
#include "support/model_builders.hpp"
#include "support/sample_of.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

// Gangs that do not fit: when they are tried again, and in which order.
namespace {

/// Counts how often it is asked.
class asked_policy final : public placement_policy {
public:
  asked_policy(std::vector<placement_outcome>& told, std::uint64_t& asked)
    : of_(told), asked_(&asked) {}

  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context& context) override {
    ++*asked_;
    return of_.pick(seen, task, context);
  }

private:
  best_score of_;
  std::uint64_t* asked_;
};

/// Finds a machine for every second task only.
class forgetful_policy final : public placement_policy {
public:
  explicit forgetful_policy(std::vector<placement_outcome>& told) : of_(told) {}

  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context& context) override {
    remembers_ = !remembers_;
    return remembers_ ? of_.pick(seen, task, context) : std::nullopt;
  }

private:
  best_score of_;
  bool remembers_ = false;
};

/// One scheduler and one owner; eight machines of one slot in one partition.
struct aside {
  catalog machines = even_catalog(8, 1, 1);
  std::vector<placement_outcome> told;
  std::uint64_t asked = 0;
  scheduler_limits limits{.t_task = 2ms, .batch = 100};
  scheduler_core core = make(std::make_unique<asked_policy>(told, asked));
  std::uint64_t rounds = 0;

  scheduler_core make(std::unique_ptr<placement_policy> policy) {
    return {5, machines, {0}, std::move(policy), limits, random_stream{1}, 0s};
  }

  void submit(job_id id, std::uint32_t tasks, bool spread = false) {
    std::vector<job> jobs{slot_job(id, tasks)};
    jobs[0].gang = true;
    jobs[0].spread = spread;
    core.submit(std::move(jobs));
  }

  /// Shows the scheduler `n` free machines, and all of its commits answered.
  void free(std::uint32_t n, instant now) {
    std::vector<std::int32_t> cells(8, 0);
    std::fill_n(cells.begin(), n, 1);
    core.refresh({0, ++rounds, ~std::uint64_t{0}, {{0, now, cells, {}}}}, now);
  }

  /// The jobs that the next decision places, in their order.
  std::vector<job_id> places(instant now) {
    std::vector<job_id> jobs;
    if (core.decide(now))
      for (const auto& [_, request] : core.commit(now))
        for (const auto& p : request.placements)
          if (jobs.empty() || jobs.back() != p.task.job)
            jobs.push_back(p.task.job);
    return jobs;
  }
};

using ids = std::vector<job_id>;

} // namespace

TEST_CASE_FIXTURE(aside, "a gang is not tried again before enough may have become free for it") {
  free(3, 0s);
  for (job_id j = 1; j <= 20; ++j)
    submit(j, 4);
  CHECK(places(0s) == ids{});
  const auto once = asked;
  for (int second = 1; second <= 1000; ++second)
    CHECK(places(std::chrono::seconds{second}) == ids{});
  free(3, 1001s);
  CHECK(places(1001s) == ids{});
  CHECK_FALSE(core.next_retry());
  CHECK(asked == once);
  free(4, 1002s);
  CHECK(places(1002s) == ids{1});
  CHECK(asked == once + 4); // there is nothing left to try the others with
  free(8, 1003s);
  CHECK(places(1003s) == ids{2, 3});
  CHECK(asked == once + 12);
}

TEST_CASE_FIXTURE(aside, "gangs that do not fit keep their order, whichever of them are tried") {
  free(1, 0s);
  submit(1, 6);
  submit(2, 3);
  submit(3, 2);
  submit(4, 4);
  CHECK(places(0s) == ids{});
  free(2, 1s);
  submit(5, 2);
  CHECK(places(1s) == ids{3});
  free(5, 2s);
  CHECK(places(2s) == ids{2, 5});
  free(4, 3s);
  submit(6, 1);
  CHECK(places(3s) == ids{4});
  free(7, 4s);
  CHECK(places(4s) == ids{1, 6});
}

TEST_CASE_FIXTURE(aside, "gangs that a full batch left over go before those behind them") {
  limits.batch = 2;
  core = make(std::make_unique<asked_policy>(told, asked));
  free(1, 0s);
  submit(1, 4);
  submit(2, 2);
  submit(3, 2);
  submit(4, 4);
  submit(5, 2);
  CHECK(places(0s) == ids{});
  free(2, 1s);
  CHECK(places(1s) == ids{2});
  free(8, 2s);
  CHECK(places(2s) == ids{1}); // 3 was left over, and 1 stands before it
  free(8, 3s);
  CHECK(places(3s) == ids{3});
  CHECK(places(3s) == ids{4});
  CHECK(places(3s) == ids{5});
}

TEST_CASE_FIXTURE(aside, "a policy that found no place where there should be one is asked again") {
  core = make(std::make_unique<forgetful_policy>(told));
  free(3, 0s);
  submit(1, 2);
  CHECK(places(0s) == ids{});
  CHECK(core.next_retry() == 1s);
  CHECK_FALSE(core.decide(999ms));
  CHECK_FALSE(core.decide(1s));
  CHECK(core.next_retry() == 2s);
}

TEST_CASE_FIXTURE(aside, "a gang that the machines cannot hold together is abandoned at once") {
  submit(1, 9);
  submit(2, 8);
  CHECK(places(0s) == ids{2});
  CHECK(core.counts().abandoned == 9);
  auto attempts = sample_of(core, 1s).attempts;
  CHECK(attempts.gangs_impossible == 1);
  CHECK(attempts.jobs_abandoned == 1);
  static const auto wide = even_catalog(2, 1, 8);
  core = {5, wide, {0}, std::make_unique<best_score>(told), limits, random_stream{1}, 0s};
  submit(3, 3, true); // apart
  submit(4, 3);
  CHECK(places(0s) == ids{4});
  CHECK(sample_of(core, 1s).attempts.gangs_impossible == 1);
}

TEST_CASE_FIXTURE(aside, "a gang is held against the scheduler's own share where that is hard") {
  static const auto parted = even_catalog(8, 2, 1);
  limits.share = own_share::dealt(sharing::hard, 0, 2, 2);
  core = {5, parted, {0, 0}, std::make_unique<best_score>(told), limits, random_stream{1}, 0s};
  submit(1, 5);
  submit(2, 4);
  CHECK(places(0s) == ids{2});
  CHECK(sample_of(core, 1s).attempts.gangs_impossible == 1);
}
