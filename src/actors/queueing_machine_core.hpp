#pragma once

#include "model/machine_queue.hpp"
#include "model/run_set.hpp"
#include "model/usage_meter.hpp"

#include <boost/container/small_vector.hpp>

#include <optional>
#include <span>
#include <vector>

namespace troupe {

/// What a machine with a queue knows and decides, without the actor around it: what runs, what
/// waits, and for which reservations it has asked for a task. What is asked for is held, so that
/// the task finds room. The machine is never over capacity.
class queueing_machine_core {
public:
  /// `weights` are the tenants' and must outlive the core.
  queueing_machine_core(const resources& capacity, queue_discipline discipline,
                        std::span<const double> weights)
    : capacity_(capacity), free_(capacity), unused_(capacity), queue_(discipline, weights) {}

  /// Queues an entry. Returns false, and leaves it, if the machine can never hold it.
  bool push(const queue_entry& entry);

  /// Takes the entry whose turn it is, if it fits. What it asks for is held from now on: for a
  /// task, until it has ended; for a reservation, until the answer to the request has come.
  std::optional<queue_entry> next();

  /// Books the answer to a request. Returns what is to be started, or nothing; a task that may not
  /// be started yet waits for its turn.
  std::optional<launch_order> answered(const task_assignment& answer, bool may_start = true);

  /// A task that holds a part of the machine.
  struct running_task : task_use {
    task_id task;
    run_number run = 0;
  };

  /// Returns a task that runs, or null.
  const running_task* find(const task_id& task) const;

  /// Notes which run of the task was just started.
  void started(const task_id& task, run_number run);

  /// Gives back what a task held. Returns nothing if it does not run, or was killed: that has given
  /// it back.
  std::optional<running_task> ended(const task_id& task);

  /// Gives back at once what a task holds, though news of its end will still come. Returns nothing
  /// if it does not run.
  std::optional<running_task> kill(const task_id& task);

  /// Takes a task off the queue that waits there. Returns nothing if none does.
  std::optional<launch_order> remove(const task_id& task) { return queue_.remove(task); }

  /// Takes the reservations of a job off the queue.
  void cancel(const cancellation& what) { queue_.cancel(what.scheduler, what.job); }

  /// Drops whatever a scheduler has waiting, and what is held until it answers.
  void drop(scheduler_id scheduler);

  /// Returns whether a scheduler has something waiting, or has been asked and has not answered.
  bool holds(scheduler_id scheduler) const;

  /// The entry whose turn it is, or null. Valid until the queue is changed.
  const queue_entry* head() const { return queue_.head(); }

  /// What a probe is told: how many entries wait; where none does, minus the number of tasks with
  /// this demand that would fit.
  std::int32_t length(const resources& demand) const;

  /// Whether nothing waits, no answer is under way, and a task with this demand would fit.
  bool idle(const resources& demand) const;

  /// Takes out what a machine that has nothing to do may have.
  std::vector<queue_entry> give_away() { return queue_.take_behind_long(long_running_ > 0); }

  /// What is neither in use nor held.
  const resources& free() const { return free_; }

  /// What no task uses, though it may be held for one.
  const resources& unused() const { return unused_; }

  std::size_t waiting() const { return queue_.size(); }
  std::vector<task_id> running() const;

private:
  struct asked {
    job_id job = 0;
    std::uint32_t group = 0;
    std::uint32_t tenant = 0;
    scheduler_id scheduler = 0;
    resources held;
  };

  void run(const launch_order& order, std::uint32_t tenant, bool granted);
  std::optional<running_task> erase(const task_id& task);

  resources capacity_;
  resources free_;
  resources unused_;
  machine_queue queue_;
  boost::container::small_vector<running_task, 4> running_;
  boost::container::small_vector<asked, 2> asked_;
  std::vector<task_id> killed_; ///< whose ends have not been heard of
  std::uint32_t long_running_ = 0;
};

} // namespace troupe
