#pragma once

#include "model/live/live_board.hpp"
#include "model/metrics/results.hpp"
#include "model/records/records.hpp"
#include "report/progress/progress.hpp"
#include "settings/schema/settings.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

class member_events;
class run_inspector;

/// Observes a run and may end it. All functions are called from the thread that called `run`.
class run_monitor {
public:
  virtual ~run_monitor() = default;

  /// Called at the end of each interval of the run, and every second by the wall clock if an
  /// interval takes longer.
  virtual void progress(const run_progress& at) = 0;

  /// Called with each row of the time series, and with each tenant's, as soon as it was measured.
  /// Returns whether it takes the row; other rows are kept in memory for the results. `so_far`
  /// describes the run and the policy changes so far, including planned ones.
  virtual bool take_row(const interval_record&, const run_results& so_far) {
    static_cast<void>(so_far);
    return false;
  }
  virtual bool take_row(const tenant_record&, const run_results& so_far) {
    static_cast<void>(so_far);
    return false;
  }

  /// Called, if the settings want records of jobs and tasks, with those that are finished, in the
  /// order of their ends. They are kept nowhere else.
  virtual void take_records(const record_batch& records, const run_results& so_far) {
    static_cast<void>(records);
    static_cast<void>(so_far);
  }

  /// Returns the receiver of the members' events, in virtual time; null: none. Asked once, at the
  /// beginning.
  virtual member_events* members() { return nullptr; }

  /// Called when schedulers take other policies during a run, with all such changes so far.
  virtual void policies_changed(const std::vector<policy_change_settings>& changes) {
    static_cast<void>(changes);
  }

  /// Called once before a run begins. Returns the board for the live state of the run; null: none,
  /// which costs nothing. Other threads change it.
  virtual std::shared_ptr<live_board> live() { return nullptr; }

  /// Called in virtual time before each interval of the run; the run continues when this returns.
  virtual void before_interval(instant from, instant to) {
    static_cast<void>(from);
    static_cast<void>(to);
  }

  /// Polled often; once it returns true, the run stops gracefully with the results so far.
  virtual bool stop_requested() = 0;

  /// Called at the beginning of the run with a function that describes its position, and with an
  /// empty one before it stops gracefully. `where` may be called from any thread until the next
  /// call.
  virtual void watch(std::function<std::string()>) {}

  /// Called if a stop was requested within an instant that does not end. `where` describes the
  /// position of the run, for the user. If this returns, `run` throws `std::runtime_error`.
  virtual void cannot_end(const std::string&) {}

  /// Called often in real time. Returns settings with policies, and their parameters, that the
  /// schedulers that place tasks are to take from now on; usually nothing.
  virtual std::optional<run_settings> new_settings() { return std::nullopt; }
};

/// Returns the approximate memory of the actors of a run, in bytes.
std::size_t memory_of(const run_settings& settings);

/// Runs one cluster with `settings`, in virtual or in real time, and returns the measurements. The
/// settings must come from the reader, which has checked them. Throws `std::runtime_error` with a
/// message for the user if an input is unreadable.
///
/// `inspector`, if any, looks into a run in virtual time; real time has none.
run_results run(const run_settings& settings, run_monitor& monitor,
                run_inspector* inspector = nullptr);

} // namespace troupe
