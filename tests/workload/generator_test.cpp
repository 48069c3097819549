#include "workload/generate/factory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

namespace troupe {

namespace {

using namespace std::chrono_literals;

std::vector<job> all_jobs(const workload_settings& settings, std::uint64_t seed = 1,
                          double capacity = 1000, std::uint32_t schedulers = 4) {
  const auto source =
    make_job_source(settings, capacity, schedulers, random_stream::derive(seed, "workload", 0));
  std::vector<job> jobs;
  while (auto next = source->next()) {
    REQUIRE(next->id == jobs.size());
    if (!jobs.empty())
      REQUIRE(next->submitted >= jobs.back().submitted);
    jobs.push_back(std::move(*next));
  }
  CHECK_FALSE(source->next());
  CHECK(source->skipped_rows().empty());
  return jobs;
}

std::size_t between(const std::vector<job>& jobs, instant from, instant to) {
  std::size_t n = 0;
  for (const auto& j : jobs)
    n += j.submitted >= from && j.submitted < to ? 1 : 0;
  return n;
}

bool same(const job& a, const job& b) {
  return a.id == b.id && a.submitted == b.submitted && a.estimate == b.estimate &&
         a.groups.size() == b.groups.size() && a.groups[0].count == b.groups[0].count &&
         a.groups[0].demand == b.groups[0].demand && a.groups[0].durations == b.groups[0].durations;
}

bool same(const std::vector<job>& a, const std::vector<job>& b) {
  bool equal = a.size() == b.size();
  for (std::size_t i = 0; equal && i < a.size(); ++i)
    equal = same(a[i], b[i]);
  return equal;
}

} // namespace

TEST_CASE("constant arrivals are evenly spaced from the start of the phase") {
  workload_settings settings;
  settings.phases = {{.length = 2s, .rate = 5}};
  const auto jobs = all_jobs(settings);
  REQUIRE(jobs.size() == 10);
  for (std::size_t i = 0; i < jobs.size(); ++i)
    CHECK(jobs[i].submitted == i * 200ms);
  CHECK(jobs[3].groups.size() == 1);
  CHECK(jobs[3].task_count() == 1);
  CHECK(jobs[3].groups[0].demand == resources::of_slots(1));
  CHECK(jobs[3].groups[0].durations == std::vector<duration>{5s});
  CHECK(jobs[3].estimate == 5s);
}

TEST_CASE("each phase has exactly the arrivals of its rate or load") {
  workload_settings settings;
  settings.phases = {{.length = 60s, .load = 0.5},
                     {.length = 60s, .load = 0.8},
                     {.length = 10s},
                     {.length = 60s, .rate = 950},
                     {.length = 60s, .load = 0.8}};
  const auto jobs = all_jobs(settings);
  CHECK(jobs.size() == 60 * (500 + 800 + 950 + 800));
  CHECK(between(jobs, 0s, 60s) == 30'000);
  CHECK(between(jobs, 60s, 120s) == 48'000);
  CHECK(between(jobs, 120s, 130s) == 0);
  CHECK(between(jobs, 130s, 190s) == 57'000);
  CHECK(between(jobs, 190s, 250s) == 48'000);
}

TEST_CASE("fractions of arrivals carry over from phase to phase") {
  workload_settings settings;
  for (int i = 0; i < 30; ++i)
    settings.phases.push_back({.length = 100ms, .rate = 1.0 / 0.3});
  const auto jobs = all_jobs(settings);
  REQUIRE(jobs.size() == 10);
  for (std::size_t i = 0; i < jobs.size(); ++i)
    CHECK(std::abs(to_seconds(jobs[i].submitted) - 0.3 * static_cast<double>(i)) < 1e-8);
}

TEST_CASE("the rate counts tasks, whatever the size of jobs") {
  workload_settings settings;
  settings.phases = {{.length = 100s, .rate = 1000}};
  settings.tasks_per_job = {.value = 10};
  CHECK(all_jobs(settings).size() == 10'000);

  settings.tasks_per_job = {.kind = distribution_kind::exponential, .value = 1.5};
  settings.arrivals = arrival_kind::poisson;
  double tasks = 0;
  for (const auto& j : all_jobs(settings))
    tasks += j.task_count();
  CHECK(tasks == doctest::Approx(100'000).epsilon(0.02));
}

TEST_CASE("Poisson arrivals have exponential gaps at the rate of their phase") {
  workload_settings settings;
  settings.arrivals = arrival_kind::poisson;
  settings.phases = {{.length = 200s, .rate = 500}, {.length = 200s, .rate = 50}};
  const auto jobs = all_jobs(settings);
  // Within 4 standard deviations of the Poisson counts.
  const auto first = static_cast<double>(between(jobs, 0s, 200s));
  CHECK(std::abs(first - 100'000) < 4 * std::sqrt(100'000.0));
  CHECK(std::abs(static_cast<double>(jobs.size()) - first - 10'000) < 4 * std::sqrt(10'000.0));
  double sum = 0;
  double squares = 0;
  const auto n = static_cast<std::size_t>(first);
  for (std::size_t i = 1; i < n; ++i) {
    const double gap = to_seconds(jobs[i].submitted - jobs[i - 1].submitted);
    sum += gap;
    squares += gap * gap;
  }
  const double mean = sum / (first - 1);
  const double variation = std::sqrt(squares / (first - 1) - mean * mean) / mean;
  CHECK(mean == doctest::Approx(0.002).epsilon(0.02));
  CHECK(variation == doctest::Approx(1).epsilon(0.02));
}

TEST_CASE("jobs ends the stream early") {
  workload_settings settings;
  settings.phases = {{.length = 10s, .rate = 100}};
  settings.jobs = 7;
  CHECK(all_jobs(settings).size() == 7);
}

TEST_CASE("a burst is one job per scheduler, all at time 0") {
  workload_settings settings;
  settings.kind = workload_kind::burst;
  settings.tasks_per_job = {.value = 300};
  const auto jobs = all_jobs(settings, 1, 1000, 10);
  REQUIRE(jobs.size() == 10);
  for (const auto& j : jobs) {
    CHECK(j.submitted == 0s);
    CHECK(j.task_count() == 300);
  }
  settings.jobs = 3;
  CHECK(all_jobs(settings, 1, 1000, 10).size() == 3);
}

TEST_CASE("bursts follow each other, each with one job per scheduler") {
  workload_settings settings;
  settings.kind = workload_kind::burst;
  settings.bursts = 3;
  settings.burst_start = 2s;
  settings.burst_interval = 5s;
  const auto jobs = all_jobs(settings, 1, 1000, 4);
  REQUIRE(jobs.size() == 12);
  for (std::size_t i = 0; i < jobs.size(); ++i)
    CHECK(jobs[i].submitted == 2s + 5s * static_cast<int>(i / 4));
  settings.jobs = 5;
  CHECK(all_jobs(settings, 1, 1000, 4).back().submitted == 7s);
}

TEST_CASE("durations are drawn per task or once per job") {
  workload_settings settings;
  settings.phases = {{.length = 1s, .rate = 1000}};
  settings.tasks_per_job = {.value = 10};
  settings.duration = {.kind = distribution_kind::exponential, .value = 2};
  for (const auto& j : all_jobs(settings)) {
    const auto& durations = j.groups[0].durations;
    REQUIRE(durations.size() == 10);
    CHECK(std::set<duration>(durations.begin(), durations.end()).size() == 10);
    duration sum{0};
    for (auto d : durations)
      sum += d;
    CHECK(std::abs(to_seconds(j.estimate - sum / 10)) < 1e-6);
  }
  settings.duration_per_job = true;
  const auto jobs = all_jobs(settings);
  std::set<duration> seen;
  for (const auto& j : jobs) {
    REQUIRE(j.groups[0].durations.size() == 1);
    CHECK(j.estimate == j.groups[0].durations[0]);
    seen.insert(j.estimate);
  }
  CHECK(seen.size() == jobs.size());
}

TEST_CASE("one seed gives the same jobs, another seed others") {
  workload_settings settings;
  settings.arrivals = arrival_kind::poisson;
  settings.phases = {{.length = 10s, .rate = 500}};
  settings.tasks_per_job = {.kind = distribution_kind::lognormal, .mu = 1, .sigma = 1};
  settings.duration = {.kind = distribution_kind::exponential, .value = 2};
  settings.requests = {{.cpu = 0.5, .memory = 1}, {.cpu = 1, .memory = 2}};
  CHECK(same(all_jobs(settings, 1), all_jobs(settings, 1)));
  CHECK_FALSE(same(all_jobs(settings, 1), all_jobs(settings, 2)));
}

TEST_CASE("changing one distribution leaves the others' draws alone") {
  workload_settings settings;
  settings.arrivals = arrival_kind::poisson;
  settings.phases = {{.length = 10s, .rate = 500}};
  settings.duration = {.kind = distribution_kind::exponential, .value = 2};
  settings.requests = {{.cpu = 0.5}, {.cpu = 1}};
  const auto before = all_jobs(settings);
  settings.duration = {.kind = distribution_kind::lognormal};
  const auto after = all_jobs(settings);
  REQUIRE(before.size() == after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    REQUIRE(before[i].submitted == after[i].submitted);
    REQUIRE(before[i].groups[0].demand == after[i].groups[0].demand);
  }
  CHECK(before[0].groups[0].durations != after[0].groups[0].durations);
}

TEST_CASE("the streams of two workloads are unrelated") {
  workload_settings settings;
  settings.phases = {{.length = 100s, .rate = 1000}};
  settings.duration = {.kind = distribution_kind::exponential, .value = 1};
  double products = 0;
  std::size_t equal = 0;
  const auto a = make_job_source(settings, 1, 1, random_stream::derive(1, "workload", 0));
  const auto b = make_job_source(settings, 1, 1, random_stream::derive(1, "workload", 1));
  constexpr int n = 100'000;
  for (int i = 0; i < n; ++i) {
    const double x = to_seconds(a->next()->estimate);
    const double y = to_seconds(b->next()->estimate);
    products += (x - 1) * (y - 1);
    equal += x == y ? 1 : 0;
  }
  CHECK(std::abs(products / n) < 4 / std::sqrt(double{n}));
  CHECK(equal < 3);
}

TEST_CASE("settings that contradict themselves are told before the run") {
  workload_settings settings;
  CHECK_THROWS_WITH_AS(check_workload(settings),
                       "[workload] kind = \"phases\" needs at least one [[workload.phases]] with a "
                       "length and a rate or a load",
                       std::runtime_error);
  settings.phases = {{.length = 1s, .rate = 1}};
  CHECK_NOTHROW(check_workload(settings));
  settings.duration.min = 2;
  settings.duration.max = 1;
  CHECK_THROWS_WITH_AS(check_workload(settings),
                       "[workload] the min of a distribution must not be above its max",
                       std::runtime_error);
}

TEST_CASE("estimates are wrong by as much as is asked for, and nothing else changes") {
  workload_settings settings;
  settings.phases = {{10s, 100, 0}};
  settings.duration = {.kind = distribution_kind::exponential, .value = 3};
  settings.duration_per_job = true;
  const auto right = all_jobs(settings);
  settings.estimate_error = 0.4;
  const auto wrong = all_jobs(settings);
  REQUIRE(right.size() == wrong.size());
  double least = 2;
  double most = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    CHECK(right[i].groups[0].durations == wrong[i].groups[0].durations);
    const auto factor = to_seconds(wrong[i].estimate) / to_seconds(right[i].estimate);
    least = std::min(least, factor);
    most = std::max(most, factor);
  }
  CHECK(least > 0.599);
  CHECK(least < 0.62);
  CHECK(most < 1.401);
  CHECK(most > 1.38);
}

TEST_CASE("a job's tasks are divided evenly among its stages, which form a chain") {
  workload_settings settings;
  settings.phases = {{.length = 2s, .rate = 70}};
  settings.tasks_per_job = {.value = 7};
  settings.duration.kind = distribution_kind::exponential;
  const auto plain = all_jobs(settings);
  settings.stages = 3;
  const auto staged = all_jobs(settings);
  REQUIRE(staged.size() == plain.size());
  for (std::size_t j = 0; j < staged.size(); ++j) {
    const auto& groups = staged[j].groups;
    REQUIRE(groups.size() == 3);
    CHECK(groups[0].count == 3);
    CHECK(groups[1].count == 2);
    CHECK(groups[2].count == 2);
    CHECK(groups[0].after.empty());
    CHECK(groups[1].after == std::vector<std::uint32_t>{0});
    CHECK(groups[2].after == std::vector<std::uint32_t>{1});
    std::vector<duration> durations;
    for (const auto& g : groups) {
      CHECK(g.demand == plain[j].groups[0].demand);
      durations.insert(durations.end(), g.durations.begin(), g.durations.end());
    }
    CHECK(durations == plain[j].groups[0].durations);
    CHECK(staged[j].estimate == plain[j].estimate);
  }
  settings.duration_per_job = true;
  settings.stages = 10; // more than there are tasks
  for (const auto& j : all_jobs(settings)) {
    CHECK(j.groups.size() == 7);
    CHECK(j.task_count() == 7);
    CHECK(j.groups[6].durations.size() == 1);
  }
}

} // namespace troupe
