#pragma once

#include "model/base/random.hpp"
#include "support/reference_disciplines.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace troupe::test {

/// One scheduler that decides and is heard at once, as far as the settings allow.
inline constexpr const char* prompt_cluster = R"(
architecture = "monolithic"
schedulers = 1
duration = "0s"
interval = "3600s"
records = "jobs"
[cluster]
partitions = 1
owners = 1
[network]
latency = "0s"
[scheduler]
policy = "best-fit"
t_task = "1ns"
[executor]
tick = "1us"
[workload]
kind = "trace"
tick = "1us"
)";

/// Two schedulers of parallel jobs, each with a partition of its own or a view of both.
inline constexpr const char* two_scheduler_log = R"(
schedulers = 2
duration = "0s"
interval = "600s"
[cluster]
partitions = 2
owners = 2
[sync]
gap = "20s"
[scheduler]
policy = "best-fit"
t_task = "1ms"
[workload]
kind = "trace"
)";

/// The jobs as a log in which a unit of time is a millisecond.
inline std::string log_of(const std::vector<reference::rigid_job>& jobs, std::int64_t processors) {
  std::string text = "; MaxNodes: " + std::to_string(processors) +
                     "\n; MaxProcs: " + std::to_string(processors) + "\n";
  const auto seconds = [](std::int64_t ms) {
    return std::to_string(static_cast<double>(ms) / 1e3);
  };
  int number = 0;
  for (const auto& j : jobs) {
    const auto size = std::to_string(j.processors);
    text += std::to_string(++number) + " " + seconds(j.submitted) + " -1 " + seconds(j.runtime) +
            " " + size + " -1 -1 " + size + " " + seconds(j.estimate) + " -1 1 1 1 1 1 -1 -1 -1\n";
  }
  return text;
}

/// Stretches the times of jobs and makes them uneven, so that no two events coincide.
inline std::vector<reference::rigid_job> uneven(std::vector<reference::rigid_job> jobs,
                                                std::uint64_t seed) {
  auto random = random_stream::derive(seed, "uneven", 0);
  for (auto& j : jobs) {
    j.submitted = j.submitted * 1000 + static_cast<std::int64_t>(random.below(997));
    const auto more = static_cast<std::int64_t>(random.below(991));
    j.runtime = j.runtime * 1000 + more;
    j.estimate = j.estimate * 1000 + more;
  }
  std::ranges::stable_sort(jobs, {}, &reference::rigid_job::submitted);
  const auto first = jobs.front().submitted;
  for (auto& j : jobs)
    j.submitted -= first;
  return jobs;
}

} // namespace troupe::test
