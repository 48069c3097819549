#pragma once

#include "runtime/recording.hpp"
#include "support/reference_disciplines.hpp"
#include "support/reference_moldable.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace troupe::test {

/// What the records of a run say of the start of each job and its tasks, in ms.
inline std::map<job_id, job_record> job_records_of(const std::string& toml,
                                                   const std::vector<std::string>& overrides) {
  record_taker taker;
  check_passed(run(parse_settings(toml, "test.toml", overrides), taker));
  std::map<job_id, job_record> all;
  for (const auto& j : taker.all.jobs)
    all[j.job] = j;
  return all;
}

/// The jobs of a log as moldable ones: from a quarter to four times as wide, with linear speedup.
inline std::vector<reference::moldable_job>
with_four_widths(const std::vector<reference::rigid_job>& jobs) {
  std::vector<reference::moldable_job> made;
  for (const auto& j : jobs) {
    auto& next = made.emplace_back();
    next.submitted = j.submitted;
    next.tenant = j.tenant;
    auto least = j.processors;
    if (j.processors > 1)
      least = std::max<std::int64_t>(1, std::llround(0.25 * static_cast<double>(j.processors)));
    std::vector<std::int64_t> widths{least, j.processors};
    for (auto n = j.processors / 2; n > least; n /= 2)
      widths.push_back(n);
    if (j.processors > 1)
      widths.insert(widths.end(), {2 * j.processors, 4 * j.processors});
    std::ranges::sort(widths);
    widths.erase(std::unique(widths.begin(), widths.end()), widths.end());
    for (const auto n : widths) {
      if (n == j.processors)
        next.requested = next.widths.size();
      const auto scaled = [&](std::int64_t length) {
        return std::max<std::int64_t>(
          1, std::llround(static_cast<double>(length) * static_cast<double>(j.processors) /
                          static_cast<double>(n)));
      };
      next.widths.push_back({n, scaled(j.runtime), scaled(j.estimate)});
    }
  }
  return made;
}

inline constexpr std::pair<const char*, reference::queueing> moldable_disciplines[] = {
  {"fcfs", reference::queueing::fcfs},
  {"easy", reference::queueing::easy},
  {"conservative", reference::queueing::conservative}};

inline constexpr std::pair<const char*, reference::molding> moldable_rules[] = {
  {"available", reference::molding::available},
  {"earliest-finish", reference::molding::earliest_finish}};

/// What has a run take the jobs of a log as such.
inline std::vector<std::string> moldable_log(const std::string& path, const std::string& discipline,
                                             const std::string& width) {
  return {"workload.file=" + path,
          "cluster.trace.file=" + path,
          "workload.moldable.share=1",
          "workload.moldable.speedup=linear",
          "scheduler.discipline=" + discipline,
          "scheduler.width=" + width};
}

} // namespace troupe::test
