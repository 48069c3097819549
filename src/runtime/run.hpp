#pragma once

#include "model/results.hpp"
#include "report/progress.hpp"
#include "settings/settings.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// Watches a run and may end it. All functions are called from the thread that called `run`.
class run_monitor {
public:
  virtual ~run_monitor() = default;

  /// Called once per interval of the run, at its end, and every second by the wall clock where an
  /// interval takes longer.
  virtual void progress(const run_progress& at) = 0;

  /// Called with each row of the time series, and with each tenant's, as soon as it was measured.
  /// Returns whether it takes the row; what it does not take is kept for the results, in memory.
  /// `so_far` says what run it is of, and which policies were changed before, planned changes
  /// included.
  virtual bool take_row(const interval_record&, const run_results& so_far) {
    static_cast<void>(so_far);
    return false;
  }
  virtual bool take_row(const tenant_record&, const run_results& so_far) {
    static_cast<void>(so_far);
    return false;
  }

  /// Called where schedulers take other policies during a run, with all such changes.
  virtual void policies_changed(const std::vector<policy_change_settings>& changes) {
    static_cast<void>(changes);
  }

  /// Polled often; once it returns true, the run stops gracefully with the results so far.
  virtual bool stop_requested() = 0;

  /// Called when the run begins with a function that describes where it is, and with nothing once
  /// it is about to stop gracefully. `where` may be called from any thread until the next call.
  virtual void watch(std::function<std::string()>) {}

  /// Called when a stop was requested amid an instant that does not end: `where` says, for people,
  /// where the run is. If it returns, `run` throws `std::runtime_error`.
  virtual void cannot_end(const std::string&) {}

  /// Asked often in real time: settings from which the schedulers that place tasks are to take
  /// their policies, and how these are tuned, from now on; mostly nothing.
  virtual std::optional<run_settings> new_settings() { return std::nullopt; }
};

/// Returns about how many bytes of memory the actors of a run will take.
std::size_t memory_of(const run_settings& settings);

/// Runs one cluster as `settings` say, in virtual or in real time, and returns what was measured.
/// The settings must have come from the reader, which has checked them. Throws
/// `std::runtime_error` with a message for the user if an input turns out to be unreadable.
run_results run(const run_settings& settings, run_monitor& monitor);

} // namespace troupe
