#pragma once

#include "model/live/live_rows.hpp"

#include <cstddef>
#include <deque>
#include <vector>

namespace troupe {

/// The time series of a run in bounded memory: the last samples one by one, and the whole run in
/// rows that become longer as it goes on.
class live_series {
public:
  /// The rows of each that are kept by default.
  static constexpr std::size_t most_recent = 600;

  /// Keeps at most `most` rows of each; `most` is even and at least 2.
  explicit live_series(std::size_t most) : most_(most) {}
  live_series() : live_series(most_recent) {}

  /// Adds the row of a sample. It has the distribution of delays.
  void add(live_row row);

  /// The rows of the last samples, one for each, oldest first.
  const std::deque<live_row>& recent() const { return recent_; }

  /// Rows over the whole run, oldest first. All have `samples_per_row` samples, but the last one,
  /// which may have fewer.
  const std::vector<live_row>& whole() const { return whole_; }
  std::uint64_t samples_per_row() const { return per_row_; }

private:
  std::size_t most_;
  std::deque<live_row> recent_;
  std::vector<live_row> whole_;
  std::uint64_t per_row_ = 1;
  std::uint64_t in_last_ = 0; ///< samples in the last row of `whole_`
};

} // namespace troupe
