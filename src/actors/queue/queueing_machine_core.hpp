#pragma once

#include "model/base/run_set.hpp"
#include "model/cluster/machine_windows.hpp"
#include "model/machine/machine_queue.hpp"
#include "model/metrics/usage_meter.hpp"

#include <boost/container/small_vector.hpp>

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace troupe {

/// The state and decisions of a machine with a queue, without the actor around it: running tasks,
/// waiting entries, and the reservations for which it has requested tasks. It holds the resources
/// of a requested task, so that the task finds room. The machine is never over capacity.
class queueing_machine_core {
public:
  /// `weights` are the tenants' and must outlive the core.
  queueing_machine_core(const resources& capacity, queue_discipline discipline,
                        std::span<const double> weights)
    : capacity_(capacity), free_(capacity), unused_(capacity), queue_(discipline, weights) {}

  /// Queues an entry. Returns false, and leaves it, if the machine can never hold it.
  bool push(const queue_entry& entry);

  /// Has the machine heed its windows: tasks that these keep away wait, and others overtake them.
  void keep(machine_hours hours) { hours_ = std::move(hours); }

  const machine_hours& hours() const { return hours_; }

  /// Takes the head of the queue, if it fits. Its demand is held from now on: for a task, until it
  /// has ended; for a reservation, until the answer to the request has come.
  std::optional<queue_entry> next(instant now = instant{0});

  /// Books the answer to a request. Returns the task to start, or nothing; a task that may not be
  /// started yet is queued.
  std::optional<launch_order> answered(const task_assignment& answer, bool may_start = true,
                                       instant now = instant{0});

  /// A task that holds a part of the machine.
  struct running_task : task_use {
    task_id task;
    scheduler_id scheduler = 0; ///< that has sent it; of a granted one the owner
    run_number run = 0;
  };

  /// Returns a task that runs, or null.
  const running_task* find(const task_id& task) const;

  /// Returns whether an owner has granted the task of a run. Of one that does not run: no.
  bool is_granted(run_number run) const;

  /// Notes which run of the task was just started.
  void started(const task_id& task, run_number run);

  /// Frees the resources of a run. Returns nothing if it does not run, or was killed, which has
  /// freed them.
  std::optional<running_task> ended(run_number run);

  /// Frees the resources of a task at once. Returns nothing if it does not run.
  std::optional<running_task> kill(const task_id& task);

  /// Frees the resources of all tasks that a scheduler has sent at once. Returns these tasks.
  std::vector<running_task> kill_all(scheduler_id scheduler);

  /// The same of the tasks that an owner has granted.
  std::vector<running_task> kill_granted();

  /// Takes a task off the queue that waits there. Returns nothing if none does.
  std::optional<launch_order> remove(const task_id& task) { return queue_.remove(task); }

  /// Takes the reservations of a job off the queue.
  void cancel(const cancellation& what) { queue_.cancel(what.scheduler, what.job); }

  // -- a capacity that changes: what schedulers have sent gives way to what owners have granted ---

  /// Changes the capacity of the machine by so much.
  void resize(const resources& by) {
    capacity_ += by;
    free_ += by;
    unused_ += by;
  }

  const resources& capacity() const { return capacity_; }

  /// Takes out the entries of schedulers that the machine has too little for, even if it is idle.
  std::vector<queue_entry> take_unfit() { return queue_.take_unfit(capacity_); }

  /// Takes out the reservations for tasks that windows keep away now.
  std::vector<queue_entry> take_closed(instant now);

  /// Holds nothing any more for requests, the latest first, as long as more is in use or held than
  /// the machine has. Tasks that come in answer to them wait for their turn.
  void release_holds();

  /// Gives back what tasks of schedulers hold, the latest first, as long as more is in use than the
  /// machine has. Returns these.
  std::vector<running_task> kill_excess();

  /// Notes that a task has been asked for, for which nothing is held.
  void note_request(const queue_entry& reservation);

  /// Drops the waiting entries of a scheduler, and frees the resources that are held until it
  /// answers.
  void drop(scheduler_id scheduler);

  /// Drops the tasks that wait and that an owner has granted.
  void drop_granted() { queue_.drop_granted(); }

  /// Returns whether a scheduler has something waiting, or has been asked and has not answered.
  bool holds(scheduler_id scheduler) const;

  /// The head of the queue, or null. Valid until the queue is changed.
  const queue_entry* head(instant now = instant{0}) const;

  /// The answer to a probe: the number of waiting entries or, if none waits, minus the number of
  /// tasks with this demand that would fit.
  std::int32_t length(const resources& demand) const;

  /// Whether nothing waits, no answer is under way, and a task with this demand would fit.
  bool idle(const resources& demand) const;

  /// Whether nothing waits, and nothing is in use or held.
  bool idle() const { return queue_.empty() && free_ == capacity_; }

  /// Removes the entries that an idle machine may have, and returns them.
  std::vector<queue_entry> give_away() { return queue_.take_behind_long(long_running_ > 0); }

  /// The same of those whose tasks the windows of that machine let start now.
  std::vector<queue_entry> give_away(const machine_hours& thief, instant now);

  /// The resources that are neither in use nor held.
  const resources& free() const { return free_; }

  /// The resources that no task uses, including those held for one.
  const resources& unused() const { return unused_; }

  std::size_t waiting() const { return queue_.size(); }
  /// The tasks that run, and their numbers.
  std::span<const running_task> tasks() const { return {running_.data(), running_.size()}; }
  std::vector<task_id> running() const;

private:
  struct asked {
    job_id job = 0;
    std::uint32_t group = 0;
    std::uint32_t tenant = 0;
    scheduler_id scheduler = 0;
    std::int32_t priority = 0;
    resources held;
    bool charged = true; ///< the tenant has been, for the task
  };

  bool lets_start(const queue_entry& entry, instant now) const {
    return entry.kind == entry_kind::reservation ||
           hours_.lets_start(now, entry.order.estimate, entry.tenant);
  }
  void run(const launch_order& order, std::uint32_t tenant, bool granted);
  running_task erase(std::size_t index);
  void refund(const asked& was);

  template <class Predicate>
  std::vector<running_task> kill_if(Predicate is_meant);

  resources capacity_;
  resources free_;
  resources unused_;
  machine_queue queue_;
  boost::container::small_vector<running_task, 4> running_;
  boost::container::small_vector<asked, 2> asked_;
  std::uint32_t long_running_ = 0;
  machine_hours hours_;
};

} // namespace troupe
