#pragma once

#include "model/metrics/metrics.hpp"
#include "settings/schema/settings.hpp"

#include <optional>

namespace troupe {

/// Detects that a run without a duration makes no progress any more.
class stall_detector {
public:
  /// `settings` must outlive it.
  explicit stall_detector(const run_settings& settings);

  /// Throws `std::runtime_error` if tasks wait, none runs, and none has been placed since a check
  /// that is longer ago than anything in the settings can hold tasks: at least a minute. While
  /// machines are still to change or failures to end, it does not. Call it after each sample; `at`
  /// is the time of the sample.
  void check(const task_counts& now, instant at);

private:
  duration patience_since(instant at) const;

  const run_settings* settings_;
  duration patience_;                 ///< without retries, whose delays may grow
  std::optional<instant> last_event_; ///< known once it matters, as files are read for it
  std::uint64_t placed_ = 0;
  std::optional<instant> since_; ///< the first check that saw no progress
};

} // namespace troupe
