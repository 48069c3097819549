#pragma once

#include "actors/capacity_outbox.hpp"
#include "model/failure_protocol.hpp"
#include "model/partition_state.hpp"
#include "model/sync_plan.hpp"

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace troupe {

/// What an owner tells, besides the ends of tasks to the schedulers whose tasks they were.
struct owner_duties {
  bool tells_changes = false;   ///< every scheduler: which machines leave and return
  bool tells_allocator = false; ///< the allocator: that, and what becomes free
  ranking_options ranking{};    ///< with the snapshots: who could give way, who uses how much
  bool names_versions = false;  ///< schedulers: the versions of partitions
};

/// What a partition owner knows and decides, without the actor around it.
///
/// Commits are answered exactly once in effect: an owner keeps its answers until the scheduler says
/// that it has them, and repeats the answer to a commit that comes again. Task ends are reported in
/// numbered reports, which are kept, and sent again on demand, until the scheduler has seen them.
///
/// What a commit of mode `hold` was granted is charged and not launched until a later commit
/// settles it. Its scheduler repeats the commit until then, so one that has not been heard of for
/// long is gone and what it holds is released. If it is heard of again after all, its launch is
/// granted if there is still room. What a machine that is lost was held for is lost at its launch.
class owner_core {
public:
  /// `machines` must outlive the core. `now` is when the owner begins: it integrates over time from
  /// then on.
  owner_core(owner_id id, const catalog& machines, std::span<const partition_id> partitions,
             std::uint32_t schedulers, conflict_detection detection,
             const owner_duties& duties = {}, instant now = instant{0});

  owner_id id() const { return id_; }

  /// Grants or refuses what is wanted, in its order, and appends what is to be launched to
  /// `granted`. The answer to a commit seen before is repeated and nothing is granted.
  commit_reply commit(const commit_request& wanted, std::vector<granted_placement>& granted,
                      instant now);

  /// The tasks that had to leave for what the last commit was granted, in the order of the granted
  /// placements, each of which says how many are its.
  const std::vector<evicted_task>& evicted() const { return evicted_; }

  /// Returns the snapshots that `plan` has for `scheduler` in round `n`, or no partitions.
  sync_update sync(const sync_plan& plan, std::uint64_t n, scheduler_id scheduler,
                   instant now) const;

  /// Returns snapshots of all partitions, for a scheduler that has none, as if of round `n`.
  sync_update sync_all(std::uint64_t n, scheduler_id scheduler, instant now) const;

  /// Books task ends. Those of tasks that do not run here are counted and otherwise ignored.
  /// Returns how many there are to tell schedulers of.
  std::size_t end(std::span<const task_end> ends, instant now);

  /// Takes a machine out and reports its tasks as lost.
  void remove(machine_id machine, instant now);

  /// Takes a machine in again.
  void restore(machine_id machine, instant now);

  /// The one place where machines that live leave, join and change: says what a machine has from
  /// `now` on, nothing if it leaves. Tasks that do not fit any more are reported lost. Returns
  /// those of them that run, to be killed on the machine.
  std::vector<task_id> set_capacity(const machine_capacity& what, instant now);

  /// Leaves a machine no more than what its tasks hold, so that nothing more is started there; once
  /// none is left it is gone. To be called again as they end.
  void empty(machine_id machine, instant now);

  /// Gives it back all that it has by the catalog.
  void fill(machine_id machine, instant now);

  /// Releases what schedulers hold that have not been heard of since `heard_before`. Returns how
  /// many commits held it.
  std::size_t release_silent(instant heard_before, instant now);

  /// Returns whether any commit holds anything.
  bool has_holds() const { return holds_ > 0; }

  /// Returns whether there is anything that no report has carried yet.
  bool has_news() const { return news_ > 0; }

  /// What is there to tell the allocator, or null where there is none.
  capacity_outbox* outbox() { return outbox_ ? &*outbox_ : nullptr; }
  const capacity_outbox* outbox() const { return outbox_ ? &*outbox_ : nullptr; }

  /// Returns a report for each scheduler that has news.
  std::vector<std::pair<scheduler_id, task_report>> reports(instant now);

  /// Returns once more the reports that were sent before `sent_before` and not seen since.
  std::vector<std::pair<scheduler_id, task_report>> unseen(instant sent_before, instant now);

  /// Returns whether any report is not known to have been seen.
  bool has_unseen() const;

  /// Notes that `scheduler` has seen the reports up to and including `number`.
  void seen(scheduler_id scheduler, std::uint64_t number);

  // -- where failures are watched (owner_core_recovery.cpp) ---

  /// Books a task that runs already. Returns false if there is no room for it.
  bool adopt(const running_claim& claim, machine_id machine, instant now);

  /// Has a scheduler told of the end of a task that was never booked here.
  void end_unbooked(scheduler_id scheduler, const task_end& end);

  /// Begins to talk to another life of a scheduler, or as another life of the owner: forgets what
  /// was said and answered before, releases what was held, and returns all there is to know.
  owner_statement open_session(scheduler_id scheduler, std::uint64_t session, instant now);

  /// Returns what there is to tell the allocator at the beginning of a session with another life of
  /// it. What was held is released: it was held on the word of an earlier one.
  capacity_statement open_allocator_session(std::uint64_t session, instant now);

  /// The same again, while the session goes on. What was not reported before is included in a last
  /// report, which is still to be sent.
  capacity_statement state_capacity(instant now) const;

  /// Refuses all of a commit. The answer to one seen before is repeated.
  commit_reply refuse(const commit_request& wanted, conflict_cause cause);

  /// Has it act as one life of the owner, from 1, among others that may fail. It notes from now on
  /// which ends schedulers have seen, and says that a task was preempted only once its machine has
  /// killed it, for until then it may run. What it says of versions is greater than what any
  /// earlier life has said. To be called once, first.
  void survive(incarnation life);

  /// Returns the ends that schedulers have seen since the last call.
  std::vector<task_end> take_seen_ends() { return std::exchange(seen_ends_, {}); }

  /// Returns the tasks of a scheduler that run, or are to, or may still, by their ids. Slow.
  std::vector<task_place> running_of(scheduler_id scheduler) const;

  /// What was counted since the last sample.
  const owner_sample& counted() const { return sample_; }

  /// Returns what was counted since the last call.
  owner_sample take_sample(instant now);

  /// Returns what runs on all machines, by tenant; nothing if there is a single one.
  std::vector<resource_sum> used_by_tenant() const;

  /// Counts machines that are over capacity or whose books are wrong. Slow.
  std::uint32_t inconsistent() const;

private:
  struct sent_report {
    instant at;
    task_report what;
  };

  struct channel {
    commit_id latest = 0; ///< the newest commit seen
    commit_id answered_below = 0;
    std::map<commit_id, commit_reply> answers;
    std::vector<task_end> news;
    std::vector<machine_change> changes;
    std::vector<preempted_task> preempted; ///< news as well
    std::uint64_t reports = 0;             ///< reports sent
    std::deque<sent_report> unseen;
    std::map<commit_id, std::vector<granted_placement>> holds; ///< by the commit that holds
    instant heard{0};                                          ///< of its scheduler
  };

  partition_state* find(machine_id machine);
  const partition_state* find(machine_id machine) const;
  std::optional<rejection> grant(const placement& wanted, scheduler_id scheduler, instant now,
                                 std::vector<granted_placement>& granted);
  std::optional<rejection> grant_somewhere(const commit_request& wanted, std::uint32_t index,
                                           instant now, std::vector<granted_placement>& granted,
                                           commit_reply& reply);
  void grant_each(const commit_request& wanted, instant now,
                  std::vector<granted_placement>& granted, commit_reply& reply);
  bool grant_together(const commit_request& wanted, instant now,
                      std::vector<granted_placement>& granted, commit_reply& reply);
  void launch(const commit_request& wanted, instant now, std::vector<granted_placement>& granted,
              commit_reply& reply);
  void release(const commit_request& wanted, commit_reply& reply);
  void give_up(std::vector<granted_placement>& held);
  bool hold_is_lost(const running_task& task, machine_id machine);
  void tell_states(const commit_request& wanted, commit_reply& reply) const;
  void add_snapshot(const partition_state& part, sync_update& to, instant now) const;
  std::uint64_t version_of(const partition_state& part) const {
    return version_base_ + part.grants();
  }
  void account(instant now);
  void tell(scheduler_id scheduler, const task_end& end);
  void tell_all(const machine_change& change);
  std::uint32_t note_evicted(const partition_state& part, instant now);
  void tell_preempted(const evicted_task& gone, instant at);
  bool end_evicted(const evicted_task& gone, const task_end& end);
  void drop_evicted(partition_state& part, machine_id machine, instant now);
  void account_tenants(double elapsed);
  std::optional<double> utilization() const;

  owner_id id_;
  const catalog* machines_;
  std::vector<partition_state> parts_;
  std::vector<std::uint32_t> part_of_; ///< by partition; of the ones that are not ours: none
  std::vector<channel> channels_;      ///< by scheduler
  bool tells_changes_;
  bool names_versions_;
  std::optional<capacity_outbox> outbox_;
  std::size_t news_ = 0;
  std::size_t holds_ = 0; ///< in all channels
  std::vector<evicted_task> evicted_;
  std::uint32_t tenants_; ///< of whom usage is told; 0 if there is a single one
  owner_sample sample_;
  instant accounted_;              ///< until when it has integrated
  bool survives_ = false;          ///< things fail
  std::uint64_t version_base_ = 0; ///< of this life
  std::vector<task_end> seen_ends_;
};

} // namespace troupe
