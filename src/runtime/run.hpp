#pragma once

#include "model/results.hpp"
#include "report/progress.hpp"
#include "settings/settings.hpp"

#include <optional>

namespace troupe {

/// Watches a run and may end it. Both functions are called from the thread that called `run`.
class run_monitor {
public:
  virtual ~run_monitor() = default;

  /// Called once per interval of the run, and at its end.
  virtual void progress(const run_progress& at) = 0;

  /// Asked often; once it says true, the run ends in good order with what was measured so far.
  virtual bool stop_requested() = 0;

  /// Asked often in real time: settings from which the schedulers that place tasks are to take
  /// their policies, and how these are tuned, from now on; mostly nothing.
  virtual std::optional<run_settings> new_settings() { return std::nullopt; }
};

/// Runs one cluster as `settings` say, in virtual or in real time, and returns what was measured.
/// The settings must have come from the reader, which has checked them. Throws
/// `std::runtime_error` with a message for the user if an input turns out to be unreadable.
run_results run(const run_settings& settings, run_monitor& monitor);

} // namespace troupe
