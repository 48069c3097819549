#pragma once

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "model/live/live_sample.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace troupe {

/// What was seen of some neighbouring partitions in an interval, or in several ones that follow
/// each other.
struct partition_cell {
  double load = 0;          ///< sum of the shares in use of the most used resource
  std::uint32_t loads = 0;  ///< number of these; 0: no owner has told, or no machine is up
  double age = 0;           ///< sum of the ages of the partitions in the schedulers' views, in s
  std::uint64_t ages = 0;   ///< number of these; 0: there are no snapshots
  double age_max = 0;       ///< s
  std::uint64_t placed = 0; ///< placements that owners granted
  std::uint64_t conflicts = 0;

  void append(const partition_cell& other);

  double mean_load() const { return load / loads; }
  double mean_age() const { return age / static_cast<double>(ages); }
};

/// A cell with its place.
struct partition_row {
  instant from{0};
  instant to{0};
  partition_id first = 0;  ///< partition
  std::uint32_t count = 0; ///< of partitions
  partition_cell cell;
};

/// What was seen of the partitions of a run, in bounded memory: neighbouring partitions share a
/// column if there are many, and each two intervals become one when there are too many.
class partition_series {
public:
  static constexpr std::size_t most_columns = 100;
  static constexpr std::size_t most_intervals = 200;

  partition_series() = default;

  /// Keeps at most so many columns and intervals. `intervals` is at least 2.
  explicit partition_series(std::uint32_t partitions, std::size_t columns = most_columns,
                            std::size_t intervals = most_intervals);

  std::uint32_t partitions() const { return partitions_; }

  /// Adds the answers of the owners and schedulers at the end of an interval. The counts of an
  /// interval of no length, as at the end of a run, belong to the one before; if there is none, as
  /// in a run that has not begun, they are dropped.
  void add(const live_sample& sample);

  /// Returns all rows, by time and then by partition.
  std::vector<partition_row> rows() const;

private:
  struct interval {
    instant from{0};
    instant to{0};
    std::vector<partition_cell> cells; ///< by column

    void append(const interval& later);
  };

  interval seen_in(const live_sample& sample) const;
  void halve();

  std::uint32_t partitions_ = 0;
  std::uint32_t per_column_ = 1;
  std::size_t most_ = most_intervals;
  std::size_t per_row_ = 1; ///< intervals
  std::size_t in_last_ = 0; ///< intervals in the last row
  std::vector<interval> rows_;
};

} // namespace troupe
