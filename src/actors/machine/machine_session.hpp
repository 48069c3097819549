#pragma once

#include "actors/machine/task_host.hpp"
#include "model/cluster/machine_windows.hpp"
#include "model/machine/capacity_clock.hpp"
#include "model/protocol/failure_protocol.hpp"
#include "model/protocol/process_heartbeat.hpp"
#include "model/protocol/reliable_receiver.hpp"

#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace troupe {

/// How long a machine may act without word from its owner.
struct machine_session_rules {
  incarnation_id incarnation = 1;
  /// The lease starts when the machine sends the heartbeat that the owner answers. It is shorter
  /// than the time after which owners give silent machines up, so that a task has stopped here
  /// before it runs elsewhere, and longer than the replacement of an owner takes.
  duration lease = std::chrono::milliseconds{4500};
  /// The capacity over time, from a trace if there is one, and the time at which the trace begins.
  capacity_schedule capacities{};
  std::shared_ptr<const run_begin> capacities_from{};
  machine_hours hours{}; ///< by its windows
};

/// The decisions of a machine that may lose its owner, beside the host of its tasks and without the
/// actor around it: the incarnation of the owner that it obeys, the lease, and the ends that the
/// owner has not acknowledged. Tasks that wait on the machine count as running here: the owner has
/// granted them.
///
/// It obeys the latest incarnation of an owner that it knows and refuses the orders of all others.
/// When its lease has expired, or its owner has given it up, it kills its tasks and continues as a
/// new incarnation of itself, idle.
///
/// If a trace changes the capacity, the machine reads the trace by its own clock. At the time of a
/// change it kills the tasks that no longer fit, the lowest priority and the latest start first,
/// and reports the change and the kills to the owner. Thus no message about the change can be lost,
/// and a later incarnation of the machine or of its owner starts with the right capacity.
///
/// A machine with windows starts no task that these keep away: the launch was late. The task is
/// lost then.
class machine_session {
public:
  /// `host` must outlive the session.
  machine_session(const machine_session_rules& rules, task_host& host)
    : rules_(rules),
      host_(&host),
      incarnation_(rules.incarnation),
      clock_(rules.capacities, rules.capacities_from, host.free()) {}

  incarnation_id incarnation() const { return incarnation_; }
  incarnation_id owner_incarnation() const { return owner_incarnation_; }

  /// Kills all tasks if the lease has expired, and applies the changes of capacity that are due. To
  /// be called first at every event. Returns whether the owner must be informed.
  bool catch_up(instant now);

  /// The latest time for the next call of `catch_up`: the end of the lease or the next change of
  /// capacity; `instant::max()` if there is neither.
  instant next_due(instant now) const;

  /// What the machine has.
  const resources& capacity() const { return clock_.has(); }

  /// Receives an order. Carries out, once and in order, the orders of the incarnation of the owner
  /// that it obeys.
  void obey(const machine_order& order, instant now);

  /// Books the end of a run. Returns whether it ran here.
  bool end(run_number run, const task_end& end, instant now);

  /// The reaction to a reply of an owner.
  enum class reaction : std::uint8_t {
    none,
    heartbeat, ///< a heartbeat, at once
    turn,      ///< the same, to a new owner
    depose,    ///< `refusal`, to the owner, which another one has replaced
  };

  reaction hear(const lease_reply& word, instant now);

  /// Extends the lease, if the owner that it obeys knows all of it.
  void grant(const process_lease& lease);

  /// Returns whether the owner knows all that a heartbeat would tell it, so that the process may
  /// speak for the machine; not if the lease is so old that half of it is over. Ends that only
  /// schedulers have not confirmed call for a heartbeat each `patience`.
  bool is_quiet(duration patience, instant now) const;

  /// Returns a heartbeat.
  machine_heartbeat heartbeat(instant now);

  /// Returns a sign of life of this machine alone.
  process_heartbeat sign_of_life(owner_id owner, instant now) const {
    return {host_->id(), 1, rules_.incarnation, role::owner, owner, owner_incarnation_, now};
  }

  /// Returns a heartbeat that names the latest incarnation of an owner that it knows.
  machine_heartbeat refusal(instant now) const;

  /// Reports from now on that no more tasks may be started here.
  void leave() {
    leaves_ = true;
    ++changes_;
  }

  bool runs(const task_id& task) const;

  /// The running tasks, with their schedulers.
  std::vector<std::pair<task_id, scheduler_id>> running_for() const;

  /// Returns whether it keeps the end of a task, which its scheduler may not know of.
  bool keeps_end(const task_id& task) const;

private:
  struct claim {
    running_claim what;
    grant_number grant = no_grant;
  };

  void fence(incarnation_id incarnation, instant now);
  void shrink(instant now);
  void start(const machine_order& order, instant now);
  void kill(const machine_order& order, instant now);
  claim take_claim(const task_id& task);
  resources claimed() const;
  void tell(scheduler_id scheduler, const task_end& end);

  machine_session_rules rules_;
  task_host* host_;
  std::vector<claim> claims_; ///< of the running tasks, in the order of the starts
  incarnation_id incarnation_;
  capacity_clock clock_;
  incarnation_id owner_incarnation_ = 0;
  incarnation_id latest_owner_ = 0; ///< that any incarnation of the machine has obeyed
  bool leaves_ = false;
  bool joined_ = false; ///< the owner of this incarnation has been told all
  instant lease_until_{0};
  reliable_receiver<machine_order> orders_; ///< of this incarnation and this one of the owner
  std::uint64_t events_ = 0;
  std::uint64_t events_heard_ = 0;        ///< by the owner of this incarnation
  std::deque<machine_event> events_kept_; ///< that the owner has not done with
  std::uint64_t changes_ = 0;             ///< counts what the owner must be told
  std::uint64_t changes_sent_ = 0;  ///< of these, in the last heartbeat, or in all of its instant
  std::uint64_t changes_heard_ = 0; ///< by the owner
  instant sent_{-1};                ///< the last heartbeat
};

} // namespace troupe
