#pragma once

#include "model/metrics/metrics.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace troupe {

using cause_counts = std::array<std::uint64_t, conflict_causes>;

/// A distribution of delays in numbers, in s; all 0 if `count` is.
struct delay_figures {
  std::uint64_t count = 0;
  double mean = 0;
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
  double max = 0;

  static delay_figures of(const distribution& d);
};

/// The least, the middle and the greatest of the values of several members.
struct value_band {
  double min = 0;
  double mid = 0; ///< the median, or the mean where a field says so
  double max = 0;
};

/// One group of jobs in one row.
struct group_point {
  std::uint64_t queued = 0; ///< at the end of the row
  std::uint64_t submitted = 0;
  std::uint64_t placed = 0;
  std::uint64_t conflicts = 0;
  delay_figures
    delay; ///< in a row of several samples: means of their figures, and the greatest max
};

/// One scheduler in one row. Means over the row, but for the counts.
struct scheduler_point {
  double queued = 0;     ///< tasks that wait
  double busy = 0;       ///< share of the time, 0 .. 1
  double delay_mean = 0; ///< s
  double delay_p99 = 0;  ///< s
  double age = 0;        ///< mean of its view, in s
  std::uint32_t placed = 0;
  std::uint32_t conflicts = 0;
};

/// One partition in one row.
struct partition_point {
  std::uint8_t use = 0;      ///< share of the most used resource in use, in percent; 255: not known
  std::uint16_t refused = 0; ///< placements, at most 65535
};

inline constexpr std::uint8_t unknown_use = 255;

/// A stretch of the run: one sample, or several samples in a row after another.
struct live_row {
  std::uint64_t number = 0; ///< of the last sample in it, from 1
  instant from{0};
  instant to{0};
  task_counts tasks; ///< the counts that grow: within the row; the others: at its end
  std::uint64_t jobs_submitted = 0;
  std::uint64_t jobs_over = 0;
  cause_counts conflicts{};
  std::uint64_t preempted = 0;
  std::uint64_t commits = 0;
  std::uint64_t snapshots = 0;
  delay_figures delay;
  moments quality;
  double utilization = 0;                        ///< mean over the row
  std::array<double, resource_kinds> used{};     ///< share of each resource in use, likewise
  std::array<double, resource_kinds> stranded{}; ///< share of the free amounts, likewise
  value_band age;                                ///< of the views, in s; `mid` is the mean
  value_band busy;                               ///< of the schedulers
  value_band queue;                              ///< of the schedulers, in tasks
  std::vector<group_point> groups;
  std::vector<scheduler_point> schedulers; ///< empty if there are too many to keep
  std::vector<partition_point> partitions; ///< likewise
  /// Of the placed tasks' delays.
  distribution delays;

  double seconds() const { return to_seconds(to - from); }

  /// Adds the row that follows.
  void append(const live_row& next);
};

} // namespace troupe
