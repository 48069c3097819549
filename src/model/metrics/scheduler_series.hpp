#pragma once

#include "model/base/ids.hpp"
#include "model/base/time.hpp"
#include "model/metrics/metrics.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace troupe {

/// What one scheduler did in an interval, or in several ones that follow each other.
struct scheduler_row {
  instant from{0};
  instant to{0};
  scheduler_id scheduler = 0;
  std::uint64_t queued = 0; ///< tasks at the end of the interval; of several, the greatest
  std::uint64_t placed = 0;
  std::uint64_t conflicts = 0;
  duration busy{0};
  double age_weighted = 0; ///< integral of its view's mean age over time, in s^2
  double age_seconds = 0;  ///< over so much time; 0: it has no age

  /// Adds the counts of one group of jobs in this interval.
  void add(const scheduler_sample& sample);
  /// Adds a later interval.
  void append(const scheduler_row& later);

  /// The share of the time that it decided.
  double busyness() const;
};

/// The rows of all schedulers of a run, in bounded memory: when there are too many, each two
/// intervals become one.
class scheduler_series {
public:
  static constexpr std::size_t default_limit = 20'000;

  explicit scheduler_series(std::size_t limit = default_limit) : limit_(limit) {}

  /// Adds the rows of an interval, in any order.
  void add(std::vector<scheduler_row> interval);

  /// Returns all rows, by time and then by scheduler.
  std::vector<scheduler_row> rows() const;

  /// Returns how many intervals of the run a row has.
  std::size_t intervals_per_row() const { return per_row_; }

private:
  using interval_rows = std::vector<scheduler_row>;

  static void append(interval_rows& to, const interval_rows& later);
  void halve();

  std::size_t limit_;
  std::size_t per_row_ = 1;
  std::size_t in_last_ = 0; ///< intervals in the last rows
  std::size_t count_ = 0;   ///< rows
  std::vector<interval_rows> intervals_;
};

} // namespace troupe
