#pragma once

#include "model/metrics/metrics.hpp"
#include "settings/schema/settings.hpp"

namespace troupe {

/// Detects that a run without a duration makes no progress any more.
class stall_detector {
public:
  explicit stall_detector(const run_settings& settings);

  /// Throws `std::runtime_error` if tasks wait, none runs, and none has been placed for a minute
  /// and for twenty sync gaps, and no window of machines is to end. Call it regularly.
  void check(const task_counts& now, instant at);

private:
  duration patience_;
  instant last_window_{0}; ///< ends then
  std::uint64_t placed_ = 0;
  instant since_{0};
};

} // namespace troupe
