#pragma once

#include "actors/machine/executor.hpp"
#include "actors/machine_usage.hpp"
#include "actors/queueing_machine_core.hpp"
#include "model/queue_protocol.hpp"
#include "model/reliable_channel.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace troupe {

struct queue_guard_rules {
  machine_id machine = 0;
  resources capacity;
  incarnation life = 1; ///< to every scheduler at first
  /// Counted from when it sent what a scheduler has answered. Less than the time after which
  /// schedulers give silent machines up, so that a task never runs here any more when it is run
  /// elsewhere.
  duration lease = std::chrono::milliseconds{4500};
  std::uint32_t schedulers = 0;
  queue_discipline discipline = queue_discipline::fifo;
  /// What a scheduler has not acknowledged for so long is overdue.
  duration patience = std::chrono::milliseconds{1000};
  /// A pulse shows its signs of life, whether it has something or not. Otherwise it says when it
  /// has nothing more.
  bool pulsed = false;
};

/// What a machine with a queue knows and decides where failures are watched, without the actor
/// around it: which life of each scheduler it obeys and for how long, what runs and waits for whom,
/// and what is still to be told.
///
/// It obeys the latest life of a scheduler that it has heard of. A new life takes over what runs;
/// what waits for an earlier one is dropped. Tasks start and run only on a lease of their
/// scheduler. When that has run out, or the scheduler has given the machine up, the machine drops
/// all that it has of this scheduler, kills what runs, and goes on as a new life of itself to it.
class queue_guard {
public:
  /// `runs_on`, `weights`, those of the tenants, and `usage`, if any is to be told, must outlive
  /// the guard.
  queue_guard(const queue_guard_rules& rules, std::span<const double> weights, executor& runs_on,
              machine_usage* usage = nullptr);

  /// Drops what leases have run out for. To be called before anything else at every moment.
  void expire(instant now);

  /// When a lease runs out; `instant::max()` where nothing is here on one.
  instant expires() const;

  /// Goes on for another lease if a scheduler says so.
  void grant(const queue_lease& lease, instant now);

  /// Carries out what a scheduler says. Returns false if another life has taken over from it, which
  /// it may not know.
  bool hear(const queue_word& word, instant now);

  /// Books the end of a task. Returns whether it ran here.
  bool end(run_number run, const task_end& end, instant now);

  /// Schedulers that are to be told something at once. To be called until there are none.
  std::vector<scheduler_id> due();

  /// Schedulers that are to be told something that is overdue, or that can wait. To be called every
  /// heartbeat.
  std::vector<scheduler_id> overdue(instant now);

  /// Schedulers of whom it has something, or that may believe so: they watch for signs of life.
  std::vector<scheduler_id> watched() const;

  /// Returns what a scheduler is to be told.
  queue_beat beat(scheduler_id scheduler, instant now);

  /// Returns what an earlier life of a scheduler is told: that another one has taken over.
  queue_beat notice(scheduler_id scheduler, instant now) const;

  /// Returns a sign of life of this machine alone.
  queue_pulse pulse(scheduler_id scheduler, instant now) const;

  /// The life of a scheduler that it obeys.
  incarnation epoch(scheduler_id scheduler) const { return sessions_.at(scheduler).epoch; }

  /// The life of the machine, to a scheduler.
  incarnation life(scheduler_id scheduler) const { return sessions_.at(scheduler).life; }

  std::vector<task_id> running() const { return core_.running(); }
  bool runs(const task_id& task) const { return core_.find(task) != nullptr; }

  /// What runs, and for which schedulers.
  std::vector<std::pair<task_id, scheduler_id>> running_for() const;

  /// Returns whether it keeps the end of a task, which its scheduler may not know of.
  bool keeps_end(scheduler_id scheduler, const task_id& task) const;

  /// Says from now on that it is to be emptied.
  void leave();
  bool leaves() const { return leaves_; }

  /// Whether nothing runs or waits here, nothing is held, and schedulers know all.
  bool idle() const;

private:
  struct running_task {
    task_id task;
    scheduler_id scheduler = 0;
    run_number run = 0;
  };

  /// What there is with a scheduler.
  struct session {
    incarnation life = 0; ///< of the machine, to this scheduler
    incarnation epoch = 0;
    bool joined = false;   ///< this life of the scheduler has been told all
    bool due = false;      ///< something is to be told
    bool told_idle = true; ///< the scheduler knows that nothing of it is here
    instant lease_until{0};
    instant busy_since{0};
    std::optional<instant> idle_sent;  ///< when it was first told that nothing is here
    bool told_leaving = false;         ///< the scheduler knows that the machine is to be emptied
    std::optional<instant> leave_sent; ///< when it was first told so
    reliable_receiver<queue_order> orders;
    reliable_sender<queue_event> events;
    std::uint32_t running = 0;       ///< tasks
    std::uint64_t ends = 0;          ///< in this life
    std::vector<machine_event> kept; ///< of which job stores may not know
    instant kept_since{0};           ///< the first of them, or asked about them last
  };

  session& of(scheduler_id scheduler) { return sessions_[scheduler]; }
  bool busy(scheduler_id scheduler) const;
  bool asks(scheduler_id scheduler, instant now) const;
  instant limit(scheduler_id scheduler) const;
  void begin_session(scheduler_id scheduler);
  void fence(scheduler_id scheduler, incarnation life, instant now);
  void adopt(scheduler_id scheduler, incarnation epoch, instant now);
  void renew(const queue_word& word, instant now);
  void obey(scheduler_id scheduler, const queue_order& order, instant now);
  void answered(scheduler_id scheduler, const queue_order& order, instant now);
  void serve(instant now);
  void start(const launch_order& order, instant now);
  void stopped(const task_id& task, instant now);
  void tell(scheduler_id scheduler, queue_event event);
  void tell_end(scheduler_id scheduler, const task_end& end);

  queue_guard_rules rules_;
  executor* runs_on_;
  machine_usage* usage_;
  queueing_machine_core core_;
  bool leaves_ = false;
  std::vector<session> sessions_; ///< by scheduler
  std::vector<running_task> running_;
};

} // namespace troupe
