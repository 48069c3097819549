#pragma once

#include "actors/client/job_store.hpp"
#include "actors/machine/executor.hpp"
#include "actors/scheduler/failover_books.hpp"
#include "model/cluster/catalog.hpp"
#include "runtime/cluster/simulated_cluster.hpp"
#include "runtime/faults/record_audit.hpp"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace troupe {

/// Watches a cluster in virtual time from outside: which tasks really run on which machines, and
/// whether the records of the members are consistent. It sees every start of a task, and inspects
/// each actor after each message that it has handled.
///
/// Checks: no machine runs more than it has room for. No task runs twice at a time, or again after
/// it is over for its job store. No task starts before all tasks that it waits for have ended, or
/// were abandoned, on a machine that does not meet its constraints, or beside another one of its
/// job if that spreads. Every owner's records add up. Every task of a scheduler is in exactly one
/// place, and granted once. In the end every task is over and nothing is left. If records are kept,
/// they tell what was seen (`record_audit`).
class audit {
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
  const std::optional<std::string>& violation() const { return violation_; }

  /// Checks that no task runs on two machines. Call it when frozen machines continue.
  void check_doubles();

  /// Compares what schedulers believe to run with what machines run.
  void compare_books();

  /// Returns whether every workload has ended and every task is over.
  bool complete() const;

  /// Returns whether all conditions hold that must hold when all tasks are over.
  bool at_rest();

  /// Checks the conditions that must hold when all tasks are over, and reports the first that does
  /// not.
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
  const simulated_cluster::process* process_of(const caf::monitorable_actor& actor) const;
  void look_at(const caf::monitorable_actor& actor);
  void look_at_owner(const simulated_cluster::process& who, bool at_end);
  void look_at_scheduler(const simulated_cluster::process& who, bool at_end);
  void look_at_sparrow(const simulated_cluster::process& who, bool at_end);
  void look_at_records(const simulated_cluster::process& who, const record_outbox* kept);
  void check_records();
  void look_at_queue(const simulated_cluster::process& who);
  void check_counts(const std::string& name, const task_counts& counts, bool at_end);
  void note_given_up(const failover_books& books);
  void check_request(const task_id& task, machine_id machine);
  bool over(const task_id& task) const;
  const job_store* store_of(job_id job) const;
  resources used(machine_id machine) const;
  void check_room(machine_id machine);

  virtual_coordinator& time_;
  const run_settings& settings_;
  bool probing_; ///< some schedulers probe machines, which have queues
  const simulated_cluster* cluster_ = nullptr;
  std::map<std::pair<task_id, machine_id>, active_run> runs_;
  std::set<task_id> ended_;    ///< ended by themselves on some machine
  std::set<task_id> given_up_; ///< by their schedulers: lost for good, or abandoned
  std::set<machine_id> still_;
  std::optional<record_audit> records_; ///< if schedulers keep them
  instant first_failure_ = instant::max();
  std::uint64_t starts_ = 0;
  std::optional<std::string> violation_;
};

} // namespace troupe
