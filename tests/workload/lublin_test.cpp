#include "workload/generate/factory.hpp"
#include "workload/generate/lublin_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

using namespace troupe;

namespace {

constexpr std::size_t draws = 100'000;

std::vector<std::uint32_t> sizes_of(lublin_jobs kind, std::uint32_t processors) {
  const lublin_model model{kind, processors};
  random_stream random{7};
  std::vector<std::uint32_t> sizes(draws);
  for (auto& s : sizes)
    s = model.draw_size(random);
  return sizes;
}

template <class Of, class Is>
double share(const Of& of, Is is) {
  return static_cast<double>(std::ranges::count_if(of, is)) / static_cast<double>(of.size());
}

/// The mean and the standard deviation of the logarithms of run times.
std::pair<double, double> logs_of(lublin_jobs kind, std::uint32_t size) {
  const lublin_model model{kind, 256};
  random_stream random{9};
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < draws; ++i) {
    const double x = std::log(to_seconds(model.draw_runtime(size, random)));
    CHECK(x <= 12.0000001);
    sum += x;
    squares += x * x;
  }
  const double mean = sum / draws;
  return {mean, std::sqrt(squares / draws - mean * mean)};
}

std::vector<job> jobs_of(const workload_settings& settings, std::uint64_t seed) {
  const auto source = make_job_source(settings, 1, 1, random_stream{seed});
  std::vector<job> jobs;
  while (auto j = source->next())
    jobs.push_back(std::move(*j));
  return jobs;
}

workload_settings of_jobs(std::uint64_t n) {
  workload_settings settings;
  settings.kind = workload_kind::lublin;
  settings.jobs = n;
  return settings;
}

} // namespace

TEST_CASE("sizes have the model's shares of serial jobs and powers of two") {
  const auto parallel_power = [](std::uint32_t n) { return n > 1 && std::has_single_bit(n); };
  const auto sizes = sizes_of(lublin_jobs::batch, 256);
  CHECK(share(sizes, [](auto n) { return n == 1; }) == doctest::Approx(0.2927).epsilon(0.02));
  // A few of the sizes that are not rounded to powers of two are some by chance.
  CHECK(share(sizes, parallel_power) > 0.66);
  CHECK(share(sizes, parallel_power) < 0.69);
  CHECK(std::ranges::max(sizes) == 256);
  // log2 of the size is uniform in 1.2 .. 6 for 7 of 8 parallel jobs, else in 6 .. 8: of the powers
  // of two, 2^2 has 1/4.8 of 7/8, 2^8 has 1/4 of 1/8.
  const auto power_share = [&](std::uint32_t n) {
    return share(sizes, [n](auto size) { return size == n; });
  };
  CHECK(power_share(4) > 0.6686 * 0.875 / 4.8 * 0.98);
  CHECK(power_share(256) == doctest::Approx(0.6686 * 0.125 / 4).epsilon(0.1));
  const auto whole = sizes_of(lublin_jobs::all, 128);
  CHECK(share(whole, [](auto n) { return n == 1; }) == doctest::Approx(0.244).epsilon(0.02));
  CHECK(share(whole, parallel_power) == doctest::Approx(0.59).epsilon(0.05));
}

TEST_CASE("sizes stay within any system") {
  for (const auto kind : {lublin_jobs::batch, lublin_jobs::interactive, lublin_jobs::all})
    for (const std::uint32_t processors : {2, 3, 5, 100, 1'000'000}) {
      const auto sizes = sizes_of(kind, processors);
      CHECK(std::ranges::min(sizes) == 1);
      CHECK(std::ranges::max(sizes) <= processors);
    }
}

TEST_CASE("logarithms of run times are hyper-gamma, and grow with the size") {
  // gamma(6.57, 0.823): mean 5.407, variance 4.450; gamma(639.1, 0.0156): mean 9.970, variance
  // 0.1555; the first with 0.6986 - 0.003 n. Values above 12 are drawn again: 1 % of the first.
  const auto expected = [](double n) {
    const double p = 0.6986 - 0.003 * n;
    const double mean = p * 5.407 + (1 - p) * 9.970;
    const double squares =
      p * (4.450 + 5.407 * 5.407) + (1 - p) * (0.1555 + 9.970 * 9.970) - mean * mean;
    return std::pair{mean, std::sqrt(squares)};
  };
  for (const std::uint32_t n : {1, 32, 128}) {
    CAPTURE(n);
    const auto [mean, deviation] = logs_of(lublin_jobs::batch, n);
    CHECK(mean == doctest::Approx(expected(n).first).epsilon(0.015));
    CHECK(deviation == doctest::Approx(expected(n).second).epsilon(0.03));
  }
  // Beyond 0.6986 / 0.003 processors, the second one only.
  CHECK(logs_of(lublin_jobs::batch, 256).first == doctest::Approx(9.970).epsilon(0.002));
}

TEST_CASE("arrivals follow the daily cycle") {
  const auto& with = lublin_parameters_of(lublin_jobs::batch);
  const auto speeds = lublin_arrivals::speeds_of(with);
  CHECK(std::accumulate(speeds.begin(), speeds.end(), 0.0) == doctest::Approx(48));
  const auto busiest = std::ranges::max_element(speeds) - speeds.begin();
  CHECK(busiest >= 2 * 12);
  CHECK(busiest <= 2 * 15);
  CHECK(std::ranges::min_element(speeds) - speeds.begin() < 2 * 7);
  // The arrivals of many days, by half hours.
  lublin_arrivals arrivals{lublin_jobs::batch, 1, duration{0}, random_stream{3}};
  std::array<double, 48> counts{};
  double last = 0;
  for (std::size_t i = 0; i < draws; ++i) {
    const double at = to_seconds(arrivals.next());
    CHECK(at >= last);
    last = at;
    counts[static_cast<std::size_t>(std::fmod(at, 86'400) / 1800)] += 48.0 / draws;
  }
  for (std::size_t i = 0; i < 48; ++i) {
    CAPTURE(i);
    // Bursts of a few jobs make the counts uneven.
    CHECK(std::abs(counts[i] - speeds[i]) < 0.05 + 0.15 * speeds[i]);
  }
}

TEST_CASE("the mean time between jobs is that of the distribution, times the factor") {
  // E[exp(g)] of gamma(a, b) with b < 1 is (1 - b)^-a; it is less here, as long times are drawn
  // again. A factor changes it exactly.
  const auto last_of = [](double factor) {
    lublin_arrivals arrivals{lublin_jobs::all, factor, duration{0}, random_stream{3}};
    instant at{0};
    for (std::size_t i = 0; i < draws; ++i)
      at = arrivals.next();
    return to_seconds(at) / draws;
  };
  const double mean = last_of(1);
  const double untruncated = std::pow(1 - 0.4871, -10.2303 * 1.0225);
  CHECK(mean < untruncated);
  CHECK(mean > 0.5 * untruncated);
  CHECK(last_of(2) == doctest::Approx(2 * mean).epsilon(0.001));
}

TEST_CASE("times between jobs end with the longest time that there is") {
  lublin_arrivals arrivals{lublin_jobs::batch, 1e6, duration{0}, random_stream{3}};
  instant last{0};
  for (int i = 0; i < 100; ++i) {
    const auto at = arrivals.next();
    CHECK(at >= last);
    last = at;
  }
  CHECK(last == std::chrono::seconds{1'000'000'000});
}

TEST_CASE("the longest run times are times, and so are their estimates") {
  auto settings = of_jobs(10'000);
  settings.lublin.duration_factor = 6000;
  settings.estimate_error = 1;
  duration longest{0};
  for (const auto& j : jobs_of(settings, 1)) {
    CHECK(j.groups.front().durations.front() > duration{0});
    CHECK(j.estimate >= duration{0});
    longest = std::max(longest, j.groups.front().durations.front());
  }
  CHECK(longest > std::chrono::seconds{500'000'000});
}

TEST_CASE("a run may begin at any time of the day") {
  // At the busiest time, the first job comes sooner than at night.
  const auto first = [](duration time_of_day) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed)
      sum +=
        to_seconds(lublin_arrivals{lublin_jobs::batch, 1, time_of_day, random_stream{seed}}.next());
    return sum;
  };
  CHECK(first(std::chrono::hours{13}) < 0.6 * first(std::chrono::hours{2}));
}

TEST_CASE("jobs of the model are gangs of equal tasks, reproducible by seed") {
  const auto jobs = jobs_of(of_jobs(1000), 1);
  REQUIRE(jobs.size() == 1000);
  const auto again = jobs_of(of_jobs(1000), 1);
  const auto other = jobs_of(of_jobs(1000), 2);
  std::size_t different = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto& j = jobs[i];
    CHECK(j.id == i);
    CHECK(j.gang == (j.task_count() > 1));
    CHECK(j.groups.size() == 1);
    CHECK(j.groups.front().durations.size() == 1);
    CHECK(j.groups.front().demand == resources::of_slots(1));
    CHECK(j.estimate == j.groups.front().durations.front());
    CHECK((i == 0 || j.submitted >= jobs[i - 1].submitted));
    CHECK(again[i].submitted == j.submitted);
    CHECK(again[i].groups.front().count == j.groups.front().count);
    CHECK(again[i].estimate == j.estimate);
    different += other[i].submitted != j.submitted ? 1 : 0;
  }
  CHECK(different > 990);
}
