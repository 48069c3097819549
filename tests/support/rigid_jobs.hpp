#pragma once

#include "model/base/random.hpp"
#include "support/reference_windows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace troupe::testing {

/// How estimates of random jobs relate to their run times.
enum class estimates { exact, over, both };

/// Random rigid jobs that keep a pool of processors busy, with many that come or end at the same
/// second. With `both`, some jobs outlive their estimates.
inline std::vector<reference::rigid_job>
random_rigid_jobs(std::size_t jobs, std::int64_t processors, estimates how, std::uint64_t seed) {
  auto random = random_stream::derive(seed, "rigid_jobs", 0);
  const auto upto = [&](std::int64_t n) {
    return 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
  };
  std::vector<reference::rigid_job> made;
  std::int64_t at = 0;
  for (std::size_t i = 0; i < jobs; ++i) {
    const auto most = upto(processors);
    reference::rigid_job j{at, upto(200), 0, random.below(3) == 0 ? most : upto(most)};
    j.estimate = j.runtime;
    if (how != estimates::exact && random.below(3) > 0)
      j.estimate = j.runtime * upto(5) + upto(60);
    if (how == estimates::both && random.below(6) == 0)
      j.estimate = upto(j.runtime);
    made.push_back(j);
    if (random.below(3) > 0)
      at += upto(60);
  }
  return made;
}

/// Random parts of processors with windows, for jobs such as these of the tenants 0 and 1, some of
/// whom are given these tenants. The first part has no windows.
template <class Job>
std::vector<reference::part> random_parts(std::vector<Job>& jobs, std::int64_t processors,
                                          std::uint64_t seed) {
  auto random = random_stream::derive(seed, "parts", 0);
  const auto upto = [&](std::int64_t n) {
    return 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
  };
  const auto last = std::max<std::int64_t>(jobs.back().submitted, 2);
  std::vector<reference::part> parts;
  const auto count = std::min<std::int64_t>(1 + upto(3), processors);
  for (std::int64_t p = 0; p < count; ++p) {
    const auto left = processors - (count - 1 - p);
    auto& made = parts.emplace_back();
    made.processors = p + 1 == count ? processors : upto(std::max<std::int64_t>(1, left / 2));
    processors -= made.processors;
    for (auto w = p == 0 ? 0 : upto(3); w > 0; --w) {
      const auto from = upto(last);
      made.windows.push_back({from, from + upto(last / 4 + 1), random.below(2) == 0 ? -1 : 1});
    }
  }
  for (auto& j : jobs)
    j.tenant = static_cast<std::int64_t>(random.below(2));
  return parts;
}

/// The jobs of a log in the Standard Workload Format that fit, by submission, and its processors.
inline std::pair<std::vector<reference::rigid_job>, std::int64_t>
rigid_jobs_of(const std::string& path, std::size_t most) {
  std::ifstream file{path};
  std::vector<reference::rigid_job> jobs;
  std::int64_t processors = 0;
  for (std::string line; jobs.size() < most && std::getline(file, line);) {
    if (const auto at = line.find("MaxProcs:"); at != std::string::npos)
      processors = std::stoll(line.substr(at + 9));
    std::istringstream row{line};
    std::vector<double> x(18);
    for (auto& v : x)
      row >> v;
    if (!row)
      continue;
    const auto size = static_cast<std::int64_t>(x[7] > 0 ? x[7] : x[4]);
    const auto run = static_cast<std::int64_t>(std::max(1.0, x[3]));
    if (x[3] >= 0 && size > 0 && (x[10] < 2 || x[10] > 4))
      jobs.push_back({static_cast<std::int64_t>(x[1]), run,
                      x[8] > 0 ? static_cast<std::int64_t>(x[8]) : run, size});
  }
  if (processors == 0)
    for (const auto& j : jobs)
      processors = std::max(processors, j.processors);
  std::erase_if(jobs, [&](const auto& j) { return j.processors > processors; });
  std::ranges::stable_sort(jobs, {}, &reference::rigid_job::submitted);
  return {std::move(jobs), processors};
}

} // namespace troupe::testing
