#pragma once

#include "actors/owner/owner_core.hpp"
#include "model/protocol/process_heartbeat.hpp"
#include "model/protocol/reliable_sender.hpp"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace troupe {

/// How an owner treats machines and schedulers that may fail.
struct machine_leases_rules {
  incarnation_id incarnation = 1; ///< which incarnation of the owner this is
  /// Nothing more is started on a machine that has been silent for so long: some heartbeats.
  duration timeout = std::chrono::milliseconds{1500};
  /// A machine that has been silent for so long is given up: longer than it takes to replace an
  /// owner, so that its machines need not stop what they run.
  duration machine_timeout = std::chrono::milliseconds{5000};
  duration resend_after = std::chrono::milliseconds{500}; ///< what has not been answered
  /// How long an earlier incarnation of the owner may still act; machines may obey it for a machine
  /// timeout more.
  duration old_lease{0};
  /// How long it may act without word from the master, from when it sent what was answered; 0: for
  /// ever.
  duration lease = std::chrono::seconds{10};
};

/// A partition owner's knowledge of the other members' incarnations, beside its core: which
/// machines are there, which orders they have not confirmed, and with which incarnations of
/// schedulers it talks.
///
/// It begins with no machine at all. Each machine that shows up tells what runs on it, and obeys no
/// earlier incarnation of the owner from then on. Once all have, or those that have not must have
/// stopped everything, the owner knows all: it states to each scheduler what it knows and grants
/// from then on. Where some do not show up at once it does so on those that have, and names the
/// others in its statement; when it knows all it states again. A machine that is given up can only
/// come back as a new incarnation, idle.
///
/// In a cluster that grows it waits for no machine that it knows not to be there: those of vacant
/// places, and in its first incarnation all, as nobody can have ordered them anything before.
///
/// Where there is an allocator, the owner does not begin before it knows all.
///
/// Orders go over a `reliable_channel`, repeated when the machine shows a sign of life. Ends that
/// machines tell, and statements, do not: a machine keeps an end until a third party, its
/// scheduler, has it, and a statement begins the session in which reports are numbered.
class machine_leases {
public:
  /// `core` must own `partitions` of `machines`, which both must outlive this. `incarnations` are
  /// those of the schedulers.
  machine_leases(owner_core& core, const catalog& machines,
                 std::span<const partition_id> partitions, std::vector<incarnation_id> incarnations,
                 const machine_leases_rules& rules, instant now);

  incarnation_id incarnation() const { return rules_.incarnation; }

  /// Returns whether it grants, on the machines that it knows.
  bool ready() const { return ready_; }

  /// Returns whether it has learned what there is to know: no machine is unknown.
  bool knows_all() const { return knows_all_; }

  /// Returns whether a later incarnation of this owner has been heard of.
  bool deposed() const { return deposed_; }

  // -- the master -----------------------------------------------------------------------------

  /// Notes that the master has heard what was sent at `sent`.
  void extend_lease(instant sent) { lease_from_ = std::max(lease_from_, sent); }

  /// Returns whether it may grant.
  bool may_act(instant now) const {
    return !deposed_ && (rules_.lease == duration::zero() || now < lease_from_ + rules_.lease);
  }

  // -- machines -------------------------------------------------------------------------------

  /// What a machine's sign of life calls for.
  struct response {
    std::optional<lease_reply> word;
    std::vector<machine_order> again; ///< orders that seem to be lost
    std::vector<task_id> killed;      ///< to be killed there, for the machine has less than before
    bool new_incarnation = false;     ///< the machine has to be reached anew
  };

  response hear(const machine_heartbeat& heartbeat, instant now);

  /// What the heartbeat of a process calls for.
  struct process_response {
    std::optional<process_lease> lease;
    std::vector<std::pair<machine_id, machine_order>> again; ///< orders that seem to be lost
  };

  process_response hear(const process_heartbeat& heard, instant now);

  /// Numbers an order and keeps it until the machine has confirmed it.
  machine_order order(machine_id machine, machine_order what, instant now);

  /// Gives up the machines that are silent. To be called often.
  void check(instant now);

  /// Returns a word for each machine that is not there: one that has not shown up yet, or was given
  /// up and may meanwhile obey a later incarnation of the owner.
  std::vector<lease_reply> calls() const;

  /// Returns whether a machine in this incarnation has told all that it has, and obeys no later
  /// incarnation of the owner.
  bool in_session(machine_id machine, incarnation_id incarnation) const;

  /// Returns whether a machine has been ordered something about a task, and has not confirmed it.
  bool orders(machine_id machine, const task_id& task) const;

  /// How many machines are there.
  std::size_t present() const { return present_; }

  // -- schedulers -----------------------------------------------------------------------------

  /// Returns whether a commit comes from the incarnation of a scheduler that it talks with, which
  /// has heard its statement.
  bool admits(const commit_request& commit) const;

  /// Talks to a new incarnation of a scheduler from now on; nothing happens for one that is known.
  void scheduler_incarnations(scheduler_id scheduler, incarnation_id incarnation, instant now);

  /// Returns the statements that are to be sent, again where they seem to be lost.
  std::vector<std::pair<scheduler_id, owner_statement>> statements(instant now);

  /// Returns whether a scheduler in this incarnation has heard the statement.
  bool in_session_with(scheduler_id scheduler, incarnation_id incarnation) const {
    const auto& with = schedulers_.at(scheduler);
    return ready_ && with.incarnation == incarnation && with.heard;
  }

  /// Notes that a scheduler has seen a report, or the statement.
  void seen(scheduler_id scheduler, std::uint64_t number, instant now);

  // -- the allocator --------------------------------------------------------------------------

  /// Returns what to tell an incarnation of the allocator; nothing before the owner knows all.
  std::optional<capacity_statement> state_capacity(const capacity_call& call, instant now);

  /// Returns whether a commit places tasks on offers of the incarnation of the allocator that it
  /// knows, or on none where there is no allocator.
  bool offered(const commit_request& commit) const { return commit.offers == allocator_; }

  incarnation_id incarnation_of(scheduler_id scheduler) const {
    return schedulers_.at(scheduler).incarnation;
  }

private:
  struct machine_session {
    incarnation_id incarnation = 0; ///< the least that is accepted
    bool joined = false;
    bool given_up = false;
    bool silent = false; ///< it gets nothing more for now
    bool leaves = false; ///< it gets nothing more
    instant heard{0};
    resources capacity;       ///< that it has said it has
    instant capacity_said{0}; ///< when, by its clock
    std::uint64_t events_heard = 0;
    std::deque<std::pair<std::uint64_t, task_id>> open; ///< events that schedulers have not seen
    reliable_sender<machine_order> orders;
  };

  struct scheduler_session {
    incarnation_id incarnation = 0;
    std::optional<owner_statement> statement; ///< until all that it tells has been seen
    bool heard = false;                       ///< the scheduler has it
    std::optional<instant> sent;
    bool again = false; ///< it has been told of unknown machines before
  };

  std::uint64_t base(scheduler_id s) const {
    const auto& with = schedulers_.at(s);
    return session_base(rules_.incarnation, with.incarnation) | (with.again ? stated_again : 0);
  }

  bool awaits(machine_id machine) const;
  void note_life(machine_id machine, machine_session& with, instant now);
  void join(machine_session& with, const machine_heartbeat& heartbeat, instant now);
  void book(machine_session& with, const machine_heartbeat& heartbeat, instant now);
  resources capacity_with_tasks(const machine_heartbeat& of) const;
  std::vector<task_id> adapt(machine_session& with, const machine_heartbeat& heartbeat,
                             instant now);
  void give_up(machine_id machine, machine_session& of, instant now);
  void open(instant now);
  void open_session(scheduler_id scheduler, incarnation_id incarnation, bool again, instant now);
  std::vector<machine_id> unknown() const;
  void confirm(const std::vector<task_end>& ends);

  owner_core* core_;
  const catalog* catalog_;
  machine_leases_rules rules_;
  instant deadline_; ///< machines that show up later have stopped what they ran
  /// When it begins although some machines are unknown; never where that is not possible.
  instant opens_;
  instant lease_from_;
  bool ready_ = false;
  bool knows_all_ = false;
  bool deposed_ = false;
  std::size_t present_ = 0;
  std::size_t awaited_ = 0; ///< machines that have neither shown up nor been given up
  std::map<machine_id, machine_session> machines_;
  std::vector<scheduler_session> schedulers_;
  incarnation_id allocator_ = 0;
};

} // namespace troupe
