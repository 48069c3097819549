#pragma once

#include "actors/client/job_store.hpp"
#include "actors/machine/executor.hpp"
#include "model/protocol/failure_protocol.hpp"
#include "runtime/cluster/simulated_cluster.hpp"
#include "runtime/faults/first_violation.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace troupe {

/// Knows which tasks really run on which machines, and checks each start: no machine runs more than
/// it has room for. No task runs twice at a time, or again after it is over for its job store. No
/// task starts before all tasks that it waits for have ended, or were abandoned, on a machine that
/// does not meet its constraints, beside another one of its job if that spreads, or on a machine
/// with a window that keeps it away.
class running_audit {
public:
  /// `to` must outlive it.
  explicit running_audit(first_violation& to) : to_(to) {}

  /// `on` must outlive it.
  void begin(const simulated_cluster& on) { cluster_ = &on; }

  void started(machine_id machine, const launch_order& order, run_number run, instant now);
  void killed(machine_id machine, run_number run, const task_id& task);
  void ended(machine_id machine, run_number run, const task_id& task);

  /// The tasks of a machine are lost with it.
  void lose(machine_id machine);

  /// The tasks of a machine are frozen with it, or continue.
  void freeze(machine_id machine, bool begins);

  /// The scheduler of a task has given it up: lost for good, or abandoned.
  void give_up(const task_id& task) { given_up_.insert(task); }

  /// Checks that no machine that is not frozen runs more than it has room for.
  void check_rooms(instant now);

  /// Checks that no task runs on two machines that are not frozen.
  void check_doubles();

  /// Checks that nothing runs any more.
  void check_end();

  std::uint64_t starts() const { return starts_; } ///< of tasks

private:
  struct active_run {
    run_number number = 0;
    resources demand;
  };

  const job_store* store_of(job_id job) const;
  resources used(machine_id machine) const;
  void check_room(machine_id machine, instant now);
  void check_request(const task_id& task, machine_id machine, instant now);
  void check_order(const task_id& task, const job& of, const task_group& asked);
  void check_windows(const task_id& task, const job& of, machine_id machine, instant now);
  void check_spread(const task_id& task, machine_id machine);

  first_violation& to_;
  const simulated_cluster* cluster_ = nullptr;
  std::map<std::pair<task_id, machine_id>, active_run> runs_;
  std::set<task_id> ended_; ///< by themselves on some machine
  std::set<task_id> given_up_;
  std::set<machine_id> still_;
  std::uint64_t starts_ = 0;
};

} // namespace troupe
