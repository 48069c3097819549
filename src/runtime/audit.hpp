#pragma once

#include "actors/machine/executor.hpp"
#include "model/catalog.hpp"
#include "runtime/stage.hpp"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace troupe {

/// Watches a cluster in virtual time from outside: what really runs where, and whether the books of
/// its members agree with themselves. It sees every start of a task, and looks at each actor after
/// each message that it has handled.
///
/// What it checks: no machine runs more than it has room for; no task runs twice at a time, or once
/// more after it is over for its job store; every owner's books add up; every task of a scheduler
/// is in exactly one place, and granted once; in the end every task is over and nothing is left.
class audit {
public:
  /// `settings` must outlive it.
  audit(caf::actor_system& system, const run_settings& settings);

  /// What machines are to run tasks with, so that it sees them.
  std::shared_ptr<node_executor> watched(std::shared_ptr<node_executor> inner);

  /// Begins to watch.
  void begin(const stage& on);

  /// Notes that a machine's tasks are gone with it, or stand still, or go on.
  void apply(const fault& f, bool begins);

  /// What is wrong, if anything: the first thing that was.
  const std::optional<std::string>& violation() const { return violation_; }

  /// Checks that no task runs on two machines. To be called when machines go on that stood still.
  void check_doubles();

  /// Compares what schedulers believe to run with what machines run.
  void compare_books();

  /// Returns whether every workload has ended and every task is over.
  bool complete() const;

  /// Returns whether everything that has to hold when all is over does.
  bool at_rest();

  /// Checks what has to hold when all is over, and says what is not.
  void check_end();

  std::uint64_t starts() const { return starts_; } ///< of tasks
  std::uint64_t tasks() const;                     ///< submitted
  std::uint64_t tasks_over() const;                ///< of these, for their job stores

private:
  class executor_watch;

  struct active_run {
    run_number number = 0;
    resources demand;
  };

  instant now() const;
  void fail(const std::string& what);
  void started(machine_id machine, const launch_order& order, run_number run);
  void stopped(machine_id machine, run_number run, const task_id& task);
  void look_at(const caf::scheduled_actor& actor);
  void look_at_owner(const stage::process& who, bool at_end);
  void look_at_scheduler(const stage::process& who, bool at_end);
  void look_at_sparrow(const stage::process& who, bool at_end);
  void look_at_queue(const stage::process& who);
  void check_counts(const std::string& name, const task_counts& counts, bool at_end);
  bool over(const task_id& task) const;
  resources used(machine_id machine) const;

  virtual_coordinator& time_;
  const run_settings& settings_;
  bool probing_; ///< schedulers probe machines
  const stage* stage_ = nullptr;
  std::map<std::pair<task_id, machine_id>, active_run> runs_;
  std::set<machine_id> still_;
  std::vector<resources> capacity_;
  std::uint64_t starts_ = 0;
  std::optional<std::string> violation_;
};

} // namespace troupe
