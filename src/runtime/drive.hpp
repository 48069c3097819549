#pragma once

#include "runtime/run.hpp"
#include "runtime/stopwatch.hpp"
#include "runtime/virtual_coordinator.hpp"
#include "runtime/wiring.hpp"

#include <functional>
#include <map>
#include <string>

namespace troupe {

/// What a run counted besides its record.
struct drive_outcome {
  std::uint64_t messages = 0; ///< handled by actors; 0 in real time, where nobody counts
  bool interrupted = false;
  std::map<std::string, std::uint64_t> failures; ///< how many of which sort there were
  std::vector<policy_change_settings> changes{}; ///< of policies, which the monitor asked for
};

/// Runs a cluster in virtual time until its length is over, its workload and every task with it has
/// ended, or the monitor asks for it; then the last sample has been taken. Throws
/// `std::runtime_error` if a workload cannot go on, or nothing can ever happen again although tasks
/// wait.
drive_outcome drive_virtual(const run_settings& settings, const std::shared_ptr<run_record>& record,
                            run_monitor& monitor);

/// The same for a cluster in which things fail as the settings say. What is recorded of tasks is
/// what the job stores know.
drive_outcome drive_failing(const run_settings& settings, const std::shared_ptr<run_record>& record,
                            run_monitor& monitor);

/// The same by the wall clock, on CAF's own scheduler with all cores.
drive_outcome drive_real(const run_settings& settings, const std::shared_ptr<run_record>& record,
                         run_monitor& monitor);

/// Tells the monitor how far the run has come.
void report_progress(const run_settings& settings, run_record& record, instant now,
                     double wall_seconds, run_monitor& monitor);

/// While it lives, a run in virtual time looks, within an instant, too, whether it is to stop, and
/// tells of its progress.
class watched_run {
public:
  /// All of these must outlive it.
  watched_run(virtual_coordinator& time, const run_settings& settings, run_record& record,
              const stopwatch& watch, run_monitor& monitor);
  watched_run(const watched_run&) = delete;
  watched_run& operator=(const watched_run&) = delete;
  ~watched_run();

private:
  virtual_coordinator& time_;
  run_monitor& monitor_;
};

/// Brings the present instant to its end after a stop was requested amid it, so that the last
/// sample can be taken. Gives up soon: then the monitor hears of it, or `std::runtime_error` is
/// thrown.
void end_instant(virtual_coordinator& time, run_monitor& monitor);

/// Runs in virtual time, interval by interval, until the run is over or the monitor asks for its
/// end; returns whether it does. `go_to` runs until an instant. Throws like `drive_virtual`.
bool run_intervals(virtual_coordinator& time, const run_settings& settings, run_record& record,
                   const stopwatch& watch, run_monitor& monitor,
                   const std::function<void(instant)>& go_to);

/// Throws `std::runtime_error` if a workload cannot go on or an actor does not answer.
void check_for_failure(run_record& record);

} // namespace troupe
