#pragma once

#include "runtime/cluster/assembly.hpp"
#include "runtime/inspect/run_inspector.hpp"
#include "runtime/run/run.hpp"
#include "runtime/time/stopwatch.hpp"
#include "runtime/time/virtual_coordinator.hpp"

#include <functional>
#include <map>
#include <string>

namespace troupe {

/// The counts of a run that its record does not contain.
struct drive_outcome {
  std::uint64_t messages = 0; ///< handled by actors; 0 in real time, where they are not counted
  bool interrupted = false;
  std::map<std::string, std::uint64_t> failures; ///< by sort, such as "kill machine"
  std::vector<run_event> events{};               ///< failures, their ends, and takeovers, by time
  std::vector<policy_change_settings> changes{}; ///< of policies, requested by the monitor
};

/// Runs a cluster in virtual time until its duration is over, its workload and all tasks have
/// ended, or the monitor requests the end; then the last sample has been taken. Throws
/// `std::runtime_error` if a workload cannot continue, or if nothing can happen any more although
/// tasks wait.
drive_outcome drive_virtual(const run_settings& settings, const std::shared_ptr<run_record>& record,
                            run_monitor& monitor, run_inspector* inspector = nullptr);

/// The same for a cluster with the failures of the settings. The counts of tasks are those of the
/// job stores.
drive_outcome drive_failing(const run_settings& settings, const std::shared_ptr<run_record>& record,
                            run_monitor& monitor, run_inspector* inspector = nullptr);

/// The same by the wall clock, on CAF's own scheduler with all cores.
drive_outcome drive_real(const run_settings& settings, const std::shared_ptr<run_record>& record,
                         run_monitor& monitor);

/// Reports the progress of the run to the monitor.
void report_progress(const run_settings& settings, run_record& record, instant now,
                     double wall_seconds, run_monitor& monitor);

/// While it exists, a run in virtual time checks, also within an instant, whether it has to stop,
/// and reports its progress.
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

/// Finishes the present instant after a stop was requested within it, so that the last sample can
/// be taken. Gives up soon: then it notifies the monitor, or throws `std::runtime_error`.
void end_instant(virtual_coordinator& time, run_monitor& monitor);

/// Runs in virtual time, interval by interval, until the run is over or the monitor requests its
/// end; returns whether the monitor did. `go_to` runs until an instant. Throws as `drive_virtual`.
bool run_intervals(virtual_coordinator& time, const run_settings& settings, run_record& record,
                   const stopwatch& watch, run_monitor& monitor,
                   const std::function<void(instant)>& go_to);

/// Throws `std::runtime_error` if a workload cannot continue or an actor does not answer.
void check_for_failure(run_record& record);

} // namespace troupe
