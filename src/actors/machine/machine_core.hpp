#pragma once

#include "actors/machine/executor.hpp"

#include <boost/container/small_vector.hpp>

#include <optional>

namespace troupe {

/// The running tasks and the free resources of one machine, without the actor around it.
class machine_core {
public:
  struct running_task {
    task_id task;
    run_number run = 0;
    resources demand;
  };

  machine_core(machine_id id, const resources& capacity) : id_(id), free_(capacity) {}

  machine_id id() const { return id_; }

  /// The free resources; tasks whose ends were not booked use theirs.
  const resources& free() const { return free_; }

  /// Changes the capacity of the machine by so much. The free resources may be below zero
  /// afterwards, until tasks are killed.
  void resize(const resources& by) { free_ += by; }

  /// Starts a task, or has `runs_on` refuse it if it does not fit. Returns whether it was started.
  bool start(const launch_order& order, executor& runs_on, instant now);

  /// Ends a task before its time. Returns the task, or nothing.
  std::optional<running_task> kill(const task_id& task, executor& runs_on);

  /// Ends all tasks before their time.
  void kill_all(executor& runs_on);

  /// Books the end of a run. Returns the task, or nothing: it was killed, or an earlier incarnation
  /// of this machine started it.
  std::optional<running_task> end(run_number run);

  /// Books the ends that `runs_on` has reported to others: for machines that are not told of them.
  void forget_ended(const executor& runs_on);

  bool runs(const task_id& task) const;

private:
  using tasks = boost::container::small_vector<running_task, 2>;

  running_task erase(tasks::iterator it);

  machine_id id_;
  resources free_;
  tasks running_; ///< in the order of their starts
};

} // namespace troupe
