#include "model/jobs/job.hpp"
#include "workload/generate/molding_source.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// Jobs that are given.
class listed_jobs final : public job_source {
public:
  explicit listed_jobs(std::vector<job> jobs) : jobs_(std::move(jobs)) {}

  std::optional<job> next() override {
    if (at_ == jobs_.size())
      return std::nullopt;
    auto j = jobs_[at_];
    j.id = at_++;
    return j;
  }

private:
  std::vector<job> jobs_;
  std::size_t at_ = 0;
};

job gang_of(std::uint32_t tasks, std::vector<duration> durations = {60s}) {
  job j;
  j.gang = true;
  j.estimate = 90s;
  j.groups.push_back({tasks, {}, std::move(durations)});
  return j;
}

std::vector<job> molded_of(std::vector<job> jobs, const moldable_settings& by, bool gangs = false,
                           std::uint64_t seed = 1) {
  molding_source source{std::make_shared<listed_jobs>(std::move(jobs)), by, gangs,
                        random_stream{seed}};
  std::vector<job> made;
  while (auto j = source.next())
    made.push_back(*std::move(j));
  return made;
}

} // namespace

TEST_CASE("a moldable job is submitted with its least width, and knows what was requested") {
  const auto made =
    molded_of({gang_of(12)},
              {.share = 1, .min_width = 0.25, .max_width = 2.5, .speedup = speedup_kind::linear});
  const auto& j = made.front();
  CHECK(j.mold.requested == 12);
  CHECK(j.mold.least == 3);
  CHECK(j.mold.most == 30);
  CHECK(j.mold.runtime == 60s);
  CHECK(j.mold.estimate == 90s);
  CHECK(j.task_count() == 3);
  CHECK(j.groups.front().duration_of(2) == 240s);
  CHECK(j.estimate == 360s);
}

TEST_CASE("the parallelism of Downey's model is a multiple of the requested width, at least 1") {
  const auto made =
    molded_of({gang_of(12), gang_of(2)}, {.share = 1, .parallelism = 0.25, .sigma = 0.5});
  CHECK(made[0].mold.speedup == speedup_model{speedup_kind::downey, 0.01, 3, 0.5});
  CHECK(made[1].mold.speedup.parallelism == 1);
}

TEST_CASE("jobs that are no gangs of equal tasks with an estimate stay as they are") {
  auto no_gang = gang_of(4);
  no_gang.gang = false;
  auto no_estimate = gang_of(4);
  no_estimate.estimate = 0s;
  auto two_groups = gang_of(4);
  two_groups.groups.push_back(two_groups.groups.front());
  const std::vector<job> jobs{no_gang, no_estimate, two_groups, gang_of(1), gang_of(2, {1s, 2s})};
  for (const auto& j : molded_of(jobs, {.share = 1}))
    CHECK_FALSE(j.mold.is_open());
  CHECK(molded_of(jobs, {.share = 1}, true).front().mold.is_open()); // all are gangs
  CHECK(molded_of({gang_of(2, {3s, 3s})}, {.share = 1}).front().mold.is_open());
}

TEST_CASE("a share of the jobs is moldable, the same in every run with a seed") {
  const std::vector<job> jobs(2000, gang_of(4));
  const auto chosen = [&](std::uint64_t seed) {
    std::vector<bool> of;
    for (const auto& j : molded_of(jobs, {.share = 0.3}, false, seed))
      of.push_back(j.mold.is_open());
    return of;
  };
  const auto first = chosen(1);
  const auto n = std::count(first.begin(), first.end(), true);
  CHECK(n > 500);
  CHECK(n < 700);
  CHECK(first == chosen(1));
  CHECK(first != chosen(2));
}
