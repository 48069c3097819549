#pragma once

#include "actors/machine/machine_core.hpp"
#include "model/failure_protocol.hpp"

#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace troupe {

/// How long a machine may act without word from its owner.
struct machine_session_rules {
  incarnation life = 1;
  /// Counted from when it sent what the owner has answered. Less than the time after which owners
  /// give silent machines up, so that a task never runs here any more when it is run elsewhere;
  /// more than it takes to replace an owner.
  duration lease = std::chrono::milliseconds{4500};
};

/// What a machine that may lose its owner knows and decides beside its core, without the actor
/// around it: which life of an owner it obeys, for how long, and which ends are still to be told.
///
/// It obeys the latest life of an owner that it has heard of and refuses the orders of all others.
/// When its lease has run out, or its owner says that it has been given up, it kills its tasks
/// and goes on as a new life of itself, idle.
class machine_session {
public:
  /// `core` and `runs_on` must outlive the session.
  machine_session(const machine_session_rules& rules, machine_core& core, executor& runs_on)
    : rules_(rules), core_(&core), runs_on_(&runs_on), life_(rules.life) {}

  incarnation life() const { return life_; }
  incarnation epoch() const { return epoch_; }

  /// Kills everything if the lease has run out. To be called before anything else at every moment.
  void expire(instant now);

  /// When the lease runs out; `instant::max()` where nothing runs on one.
  instant expires() const { return epoch_ == 0 ? instant::max() : lease_until_; }

  /// Carries an order out if it comes from the life that the machine obeys, and its number is next;
  /// keeps it if an earlier one is missing.
  void obey(const machine_order& order, instant now);

  /// Books the end of a run. Returns whether it ran here.
  bool end(run_number run, const task_end& end);

  /// What an owner's word calls for.
  enum class reaction : std::uint8_t {
    none,
    beat,   ///< a sign of life, at once
    turn,   ///< the same, to a new owner
    depose, ///< `refusal`, to the owner, which another one has replaced
  };

  reaction hear(const owner_word& word, instant now);

  /// Returns a sign of life.
  machine_beat beat(instant now) const;

  /// Returns a sign of life that names the latest life of an owner that it has heard of.
  machine_beat refusal(instant now) const;

  /// Says from now on that nothing more is to be started here.
  void leave() { leaves_ = true; }

  bool runs(const task_id& task) const { return core_->runs(task); }

  /// What runs, and for which schedulers.
  std::vector<std::pair<task_id, scheduler_id>> running_for() const;

  /// Returns whether it keeps the end of a task, which its scheduler may not know of.
  bool keeps_end(const task_id& task) const;

private:
  struct claim {
    running_claim what;
    grant_number grant = no_grant;
  };

  void fence(incarnation life);
  void carry_out(const machine_order& order, instant now);
  void start(const machine_order& order, instant now);
  void kill(const machine_order& order, instant now);
  claim take_claim(const task_id& task);
  void tell(scheduler_id scheduler, const task_end& end);

  machine_session_rules rules_;
  machine_core* core_;
  executor* runs_on_;
  std::vector<claim> claims_; ///< to what runs, in the order of the starts
  incarnation life_;
  incarnation epoch_ = 0;
  incarnation latest_epoch_ = 0; ///< that it has obeyed in any life of its own
  bool leaves_ = false;
  bool joined_ = false; ///< the owner of this epoch has been told all
  instant lease_until_{0};
  std::uint64_t orders_seen_ = 0;
  std::map<std::uint64_t, machine_order> early_; ///< that came before an earlier one
  std::uint64_t events_ = 0;
  std::uint64_t events_heard_ = 0;        ///< by the owner of this epoch
  std::deque<machine_event> events_kept_; ///< that the owner has not done with
};

} // namespace troupe
