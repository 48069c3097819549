#pragma once

#include "actors/queue/deadline_heap.hpp"
#include "actors/queue/queue_server.hpp"
#include "actors/queue/queue_session.hpp"

#include <utility>
#include <vector>

namespace troupe {

struct queue_session_rules {
  incarnation_id incarnation = 1; ///< to every scheduler at first
  /// The lease starts when the machine sends the message that a scheduler answers. It is shorter
  /// than the time after which schedulers give silent machines up, so that a task has stopped here
  /// before it runs elsewhere.
  duration lease = std::chrono::milliseconds{4500};
  std::uint32_t schedulers = 0;
  /// Messages that a scheduler has not acknowledged for so long are overdue.
  duration patience = std::chrono::milliseconds{1000};
  /// The node sends the heartbeats, also for an idle machine. Otherwise the machine reports when it
  /// becomes idle.
  bool pulsed = false;
};

/// The sessions of a machine with a queue with all schedulers where failures are watched, beside
/// its server and without the actor around it.
///
/// The machine obeys the latest incarnation of a scheduler that it knows. A new incarnation takes
/// the running tasks over; entries that wait for an earlier one are dropped. Tasks start and run
/// only with a lease of their scheduler. When the lease has expired, or the scheduler has given the
/// machine up, the machine kills the tasks of this scheduler, drops its entries, and continues as a
/// new incarnation towards it.
class queue_sessions final : public queue_listener {
public:
  /// `serves` must outlive the sessions.
  queue_sessions(const queue_session_rules& rules, queue_server& serves);

  /// Drops the tasks and entries whose lease has expired. To be called first at every event.
  void expire(instant now);

  /// The end of the next lease; `instant::max()` if no task or entry has one.
  instant expires() const;

  /// Extends the lease of a scheduler that has answered.
  void grant(const process_lease& lease, instant now);

  /// Carries out the orders of a scheduler. Returns false if a later incarnation has replaced it,
  /// which it may not know.
  bool hear(const queue_orders& orders, instant now);

  /// Books the end of a run. Returns whether it ran here.
  bool end(run_number run, const task_end& end, instant now);

  /// Gives the entries behind a long task to another machine, by way of the schedulers. Returns the
  /// entries.
  std::vector<queue_entry> give_away(machine_id thief, instant now);

  /// Returns once whether resources were freed.
  bool take_freed() { return std::exchange(freed_, false); }

  /// Notes that others have freed resources.
  void note_freed() { freed_ = true; }

  /// Keeps to what the machine has now, and tells all schedulers. To be called after the capacity
  /// of the server was changed.
  void change_capacity(instant now);

  /// Schedulers that are to be told something at once. To be called until there are none.
  std::vector<scheduler_id> due();

  /// Schedulers to which a message is overdue, or can wait no longer. To be called every heartbeat.
  std::vector<scheduler_id> overdue(instant now) const;

  /// Schedulers that expect heartbeats: they have tasks or entries here, or may believe so, or the
  /// machine is to be drained, and they look for the next incarnation when it is gone.
  std::vector<scheduler_id> watched() const;

  /// Returns the message for a scheduler.
  queue_report report(scheduler_id scheduler, instant now);

  /// Returns the message for a replaced incarnation of a scheduler.
  queue_report notice(scheduler_id scheduler, instant now) const;

  /// Returns a heartbeat of this machine alone.
  process_heartbeat sign_of_life(scheduler_id scheduler, instant now) const;

  /// The incarnation of a scheduler that it obeys.
  incarnation_id scheduler_incarnation(scheduler_id scheduler) const {
    return sessions_.at(scheduler).scheduler_incarnation();
  }

  /// The incarnation of the machine towards a scheduler.
  incarnation_id incarnation(scheduler_id scheduler) const {
    return sessions_.at(scheduler).incarnation();
  }

  std::vector<task_id> running() const { return serves_->core().running(); }
  bool runs(const task_id& task) const { return serves_->core().find(task) != nullptr; }

  /// The running tasks of schedulers, with their schedulers.
  std::vector<std::pair<task_id, scheduler_id>> running_for() const;

  /// Returns whether it keeps the end of a task, which its scheduler may not know of.
  bool keeps_end(scheduler_id scheduler, const task_id& task) const {
    return sessions_.at(scheduler).keeps_end(task);
  }

  /// Reports from now on that the machine is to be drained.
  void leave();
  bool leaves() const { return leaves_; }

  /// Whether the machine is idle and holds nothing, and its schedulers know that.
  bool idle() const;

  // -- messages of the server ---------------------------------------------------------------------

  bool may_start(scheduler_id scheduler, instant now) const override {
    return sessions_.at(scheduler).leased(now);
  }
  void started(scheduler_id scheduler, const task_start& what) override;
  void tell(scheduler_id scheduler, const get_task_request& request) override;
  void tell(scheduler_id scheduler, const probe_answer& answer) override;

private:
  void note_change(scheduler_id scheduler);
  void note_changes();
  void check_notes() const;
  bool busy(scheduler_id scheduler) const;
  bool asks(scheduler_id scheduler, instant now) const;
  instant limit(scheduler_id scheduler) const;
  void tell_event(scheduler_id scheduler, queue_event event);
  void fence(scheduler_id scheduler, incarnation_id incarnation, instant now);
  void adopt(scheduler_id scheduler, incarnation_id scheduler_incarnation, instant now);
  void obey(const queue_order& order, instant now);

  queue_session_rules rules_;
  queue_server* serves_;
  bool leaves_ = false;
  bool freed_ = false;
  std::vector<queue_session> sessions_; ///< by scheduler

  // What every event asks of all sessions, so that it need not visit them.
  deadline_heap limits_;          ///< when their tasks and entries are dropped
  std::vector<scheduler_id> due_; ///< to which a message was requested, and perhaps sent
};

} // namespace troupe
