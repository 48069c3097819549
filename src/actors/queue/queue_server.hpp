#pragma once

#include "actors/machine/executor.hpp"
#include "actors/queue/capacity_log.hpp"
#include "actors/queue/queue_meter.hpp"
#include "actors/queue/queueing_machine_core.hpp"

#include <memory>
#include <vector>

namespace troupe {

/// The rules by which the machines of a node serve their queues.
struct queue_rules {
  std::shared_ptr<executor> runs_on;
  queue_discipline discipline = queue_discipline::fifo;
  std::vector<double> weights{};                    ///< of the tenants
  std::shared_ptr<queue_meter> meter{};             ///< if the use of resources is measured
  std::shared_ptr<const machine_windows> windows{}; ///< of all machines; null: there are none
};

/// How a machine with a queue talks to schedulers.
class queue_listener {
public:
  virtual ~queue_listener() = default;

  /// Returns whether tasks that a scheduler has sent may start.
  virtual bool may_start(scheduler_id scheduler, instant now) const = 0;

  /// A task that a scheduler has sent has started.
  virtual void started(scheduler_id scheduler, const task_start& what) = 0;

  /// A reservation is at the head of the queue.
  virtual void tell(scheduler_id scheduler, const get_task_request& request) = 0;

  /// The length of the queue, as a scheduler has asked for it.
  virtual void tell(scheduler_id scheduler, const probe_answer& answer) = 0;
};

/// Serves the queue of a machine, without the actor around it: carries out the orders of
/// schedulers, starts waiting tasks when there is room, and requests tasks for reservations at the
/// head of the queue.
class queue_server {
public:
  /// `rules` must outlive the server.
  queue_server(machine_id id, const resources& capacity, const queue_rules& rules)
    : id_(id), rules_(&rules), whole_(capacity), core_(capacity, rules.discipline, rules.weights) {
    core_.keep(machine_hours{rules.windows, id});
  }

  machine_id id() const { return id_; }
  const queueing_machine_core& core() const { return core_; }

  /// What the machine has by the catalog.
  const resources& whole() const { return whole_; }

  // -- orders: these return whether they have freed something that was in use or held ------------

  /// Queues a reservation or a task, and notes in the entry how long the queue was.
  bool obey(queue_entry& entry, queue_listener& to, instant now);

  /// Starts the task that the machine has asked for, or goes on with the queue.
  bool obey(const task_assignment& answer, queue_listener& to, instant now);

  /// Drops the reservations of a job.
  bool obey(const cancellation& what, queue_listener& to, instant now);

  /// Tells how long the queue is. A probe of a machine that is away is lost.
  bool obey(const queue_probe& probe, queue_listener& to, instant now);

  /// Notes that a scheduler knows what the machine has.
  bool obey(const capacity_heard& what, queue_listener& to, instant now);

  /// Ends a task before its time, or takes it off the queue. Its end is reported in any case.
  bool kill(const task_id& task, queue_listener& to, instant now);

  // -- where failures are watched: the orders of an owner -----------------------------------------

  /// Queues a task that an owner has granted. Returns false if the machine can never hold it.
  bool take(const launch_order& order, std::uint32_t tenant, queue_listener& to, instant now);

  /// Ends such a task before its time, or takes it off the queue. Returns false if it is not here.
  bool revoke(const task_id& task, queue_listener& to, instant now);

  /// The same for all such tasks.
  void revoke_granted(queue_listener& to, instant now);

  // -- a capacity that changes --------------------------------------------------------------------

  /// Changes what the machine has by so much. `shrink` is to be called then.
  void resize(const resources& by, instant now);

  /// Drops what schedulers have sent and does not fit any more, and ends what does not fit among
  /// their tasks that run, the latest first. Returns the tasks that were ended.
  std::vector<queueing_machine_core::running_task> shrink(queue_listener& to, instant now);

  /// Writes the notice for schedulers. What they send before they have heard it is dropped if it
  /// does not fit.
  capacity_notice note_capacity() { return log_.add(id_, core_.capacity()); }

  /// Returns the latest notice, if there is one.
  std::optional<capacity_notice> latest_notice() const { return log_.latest(id_); }

  // -- events -------------------------------------------------------------------------------------

  /// Books the end of a run. Returns the task, or nothing; `serve` is to be called then.
  std::optional<queueing_machine_core::running_task> ended(run_number run, instant now);

  /// Starts the tasks that fit, and requests tasks for the reservations that fit. Requests tasks as
  /// well for the reservations for which its windows have no time, so that schedulers, which know
  /// of these, reserve elsewhere; what they send all the same waits for the end of the window.
  void serve(queue_listener& to, instant now);

  /// Queues what another machine had.
  void take_in(const std::vector<queue_entry>& entries, queue_listener& to);

  /// Removes the entries that an idle machine may have, and returns them.
  std::vector<queue_entry> give_away(machine_id thief, instant now);

  /// When to call `serve` at the latest, as a window ends for which something may wait;
  /// `instant::max()` if there is none.
  instant opens(instant now) const {
    return core_.waiting() > 0 ? core_.hours().next_end(now) : instant::max();
  }

  /// Drops the waiting entries of a scheduler, and the resources held for its answers.
  void drop(scheduler_id scheduler) { core_.drop(scheduler); }

  /// Ends the running tasks of a scheduler before their time.
  void kill_all(scheduler_id scheduler, instant now);

  /// Tells the meter that the machine has died, with all its tasks.
  void died(instant now) const;

private:
  bool push(const queue_entry& entry);
  void return_closed(queue_listener& to, instant now);
  void end_early(const std::vector<queueing_machine_core::running_task>& killed, instant now);
  void start(const launch_order& order, queue_listener& to, instant now);
  void stopped(const task_use& was, instant now);
  void ask_for(const queue_entry& reservation, queue_listener& to) const;

  machine_id id_;
  const queue_rules* rules_;
  resources whole_;
  capacity_log log_;
  queueing_machine_core core_;
};

} // namespace troupe
