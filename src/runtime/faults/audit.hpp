#pragma once

#include "runtime/faults/executor_watch.hpp"
#include "runtime/faults/record_watch.hpp"
#include "runtime/faults/running_audit.hpp"
#include "runtime/faults/width_audit.hpp"

#include <memory>
#include <optional>
#include <string>

namespace troupe {

/// Watches a cluster in virtual time from outside: which tasks really run on which machines
/// (`running_audit`), whether the books of the members are consistent (`member_audit`), if records
/// are kept, whether they match the observed events (`record_audit`), and whether the widths of
/// moldable jobs are within their limits (`width_audit`). It sees every start of a task, and
/// inspects each actor after each message that it has handled. In the end every task is over and
/// nothing is left.
class audit final : private executor_events {
public:
  /// `settings` must outlive it.
  audit(caf::actor_system& system, const run_settings& settings);

  /// Wraps the executor that machines run tasks with, so that the audit sees the tasks.
  std::shared_ptr<node_executor> watched(std::shared_ptr<node_executor> inner);

  /// Starts watching. Nothing fails, members and network, before `first_failure`.
  void begin(const simulated_cluster& on, instant first_failure);

  /// Sees a message before an actor handles it.
  void hear(const caf::monitorable_actor& actor, const caf::mailbox_element* message);

  /// Records that a machine's tasks are lost with it, are frozen, or continue.
  void apply(const fault& f, bool begins);

  /// The first violation, if any.
  const std::optional<std::string>& violation() const { return found_.found(); }

  /// Checks that no task runs on two machines. Call it when frozen machines continue.
  void check_doubles() { running_.check_doubles(); }

  /// Compares the tasks that run by the books of schedulers with the tasks that machines run.
  void compare_books();

  /// Returns whether every workload has ended and every task is over.
  bool complete() const;

  /// Returns whether all conditions hold that must hold when all tasks are over.
  bool at_rest();

  /// Checks the conditions that must hold when all tasks are over, and reports the first that does
  /// not.
  void check_end();

  std::uint64_t starts() const { return running_.starts(); } ///< of tasks
  std::uint64_t tasks() const;                               ///< submitted
  std::uint64_t tasks_over() const;                          ///< of these, for their job stores

private:
  void started(machine_id machine, const launch_order& order, run_number run, instant now) override;
  void killed(machine_id machine, run_number run, const task_id& task) override;
  void refused(machine_id machine, const launch_order& order) override;
  void ended(const task_end& end, run_number run) override;

  instant now() const;
  void look_at(const caf::monitorable_actor& actor);
  void look_at_scheduler(const simulated_cluster::process& who, bool at_end);

  virtual_coordinator& time_;
  const run_settings& settings_;
  bool probing_; ///< some schedulers probe machines, which have queues
  const simulated_cluster* cluster_ = nullptr;
  first_violation found_;
  running_audit running_{found_};
  std::optional<width_audit> widths_;   ///< if schedulers choose widths
  std::optional<record_watch> records_; ///< if schedulers keep them
};

} // namespace troupe
