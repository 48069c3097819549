#pragma once

#include "model/metrics.hpp"
#include "settings/settings.hpp"

namespace troupe {

/// Notices a run without an end of its own in which nothing moves any more.
class stall_detector {
public:
  explicit stall_detector(const run_settings& settings);

  /// Throws `std::runtime_error` if tasks wait, none runs, and none has been placed for a minute
  /// and for twenty sync gaps. To be called now and then.
  void check(const task_counts& now, instant at);

private:
  duration patience_;
  std::uint64_t placed_ = 0;
  instant since_{0};
};

} // namespace troupe
