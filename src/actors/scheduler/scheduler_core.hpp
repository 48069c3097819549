#pragma once

#include "actors/scheduler/scheduler_parts.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// What a scheduler knows and decides, without the actor around it. Every task it has accepted is
/// in exactly one place: queued, in commit, running, or over. This class hands each call to the
/// classes that a scheduler consists of (`scheduler_parts`).
///
/// What is decided on at a time of one job is a transaction. It is committed one placement at a
/// time, unless it stands or falls as one: always if the job is a gang, all tasks of which are then
/// decided on together, and for all jobs if the limits say so. Where such a transaction falls on
/// several owners, each holds its part until all have answered; then it is launched or released.
///
/// Gangs and atomic transactions do not preempt. A gang that does not fit the view is passed over
/// until enough for it may have become free; it is then tried again before the jobs behind it in
/// the queue. If there seemed to be room but the policy found no place for all of it, it waits for
/// at most a second. A gang that the machines could not hold even if idle is abandoned.
class scheduler_core {
public:
  using decided = decided_placement;
  using outgoing = outgoing_commit;

  /// `machines` must outlive the core; `owner_of` names the owner of each partition. `own_group` is
  /// the scheduler's own group. `tenants` has the due shares of the tenants, if there are several;
  /// then either the owners must report the usage of each tenant, or the scheduler must be the only
  /// one on its machines: shares then refer to these machines.
  scheduler_core(scheduler_id id, const catalog& machines, std::vector<owner_id> owner_of,
                 std::unique_ptr<placement_policy> policy, const scheduler_limits& limits,
                 random_stream random, instant now, std::uint32_t own_group = 0,
                 std::vector<tenant_quota> tenants = {})
    : parts_(std::make_unique<scheduler_parts>(id, machines, std::move(owner_of), std::move(policy),
                                               limits, random, now, own_group,
                                               std::move(tenants))) {}

  scheduler_id id() const { return parts_->setup.id; }
  const view& seen() const { return parts_->charged.seen(); }

  /// All its parts, for code that explains its decisions.
  const scheduler_parts& parts() const { return *parts_; }

  /// Returns how many tasks of all groups are where.
  task_counts counts() const { return parts_->counters.total(); }

  /// Takes jobs in.
  void submit(std::vector<job> jobs);

  /// Decides on the next batch and charges it to the view. The decision begins at `from`, or now
  /// without it; its time counts as busy as it passes. Returns how long it takes, or nothing if no
  /// task waits or the view has no room for the first one that does, and for the `look_past` behind
  /// it. A task that no machine within its reach could ever hold is abandoned. The placements stay
  /// here until `commit` hands them out; no other batch may wait for `commit`.
  std::optional<duration> decide(instant now, std::optional<instant> from = {});

  /// Takes another policy from the next decision on.
  void change_policy(std::unique_ptr<placement_policy> policy);

  /// Hands the decided batch out, a commit for each owner concerned.
  std::vector<outgoing> commit(instant now);

  /// Returns the placements of a commit that has not been answered, or null.
  const std::vector<decided>* find(owner_id owner, commit_id id) const;

  /// Returns the batch that has been decided on and waits for `commit`.
  const decided_batch& deciding_on() const { return parts_->batch; }

  /// Returns the number of the last commit that was handed out.
  commit_id last_commit() const { return parts_->commits.last_id(); }

  /// Books an owner's answer. One that was booked before is ignored. Returns the commits that
  /// grant or release placements that owners hold for a transaction, once all owners have answered.
  std::vector<outgoing> answer(const commit_reply& reply, instant now);

  /// Job stores have acknowledged news. Returns the commits that waited for this.
  std::vector<outgoing> launch_told(instant now);

  /// Refreshes the view.
  void refresh(sync_update&& update, instant now) {
    catch_up();
    parts_->updates.refresh(std::move(update), now);
  }

  /// Books the ends of tasks. Returns the number up to which the reports of this owner have been
  /// booked. One that comes again changes nothing. One that comes too early is kept until it can
  /// be booked: before the one that it follows, or before the answer that granted its tasks.
  std::uint64_t report(const task_report& report);

  /// The number up to which the reports of an owner have been seen.
  std::uint64_t reports_seen(owner_id owner) const { return parts_->reports.seen(owner); }

  /// Returns whether an offer, or a question after one, is of a later incarnation of the allocator:
  /// earlier offers are then void, and a decision under way has to be withdrawn.
  bool replaces_offers(offer_id id) const { return parts_->offers.replaced_by(id); }

  /// Adds an offer to the view. It is for the tasks that wait now: those that come while they are
  /// decided on wait for another one.
  void offer(const resource_offer& what) {
    if (auto* watch = parts_->setup.limits.watch; watch != nullptr && watch->waits_at(id()))
      watch->note(watched::offered, id()).count = what.machines.size();
    parts_->offers.receive(what, parts_->batch.size(), counts().queued);
  }

  /// Answers the open offers, if there are any and they are not kept for gangs, and empties the
  /// view, or says that there are gangs to be offered room for. To be called when nothing can be
  /// decided on.
  std::optional<offer_answer> answer_offers() {
    const auto& gangs = parts_->waiting.gangs().all();
    if (!parts_->setup.learns_from_offers() || parts_->offers.hoards(gangs))
      return std::nullopt;
    return parts_->offers.answer(gangs, parts_->waiting.any());
  }

  /// Call it regularly: a request for offers may be lost.
  void repeat_revival() { parts_->offers.repeat_revival(); }

  /// Puts the batch that is decided on and not handed out back to the head of the queue.
  void withdraw(instant now);

  /// Returns whether a decision under way has to be withdrawn for this recall to be answered.
  bool takes_back(const offer_recall& what) const { return parts_->offers.takes_back(what); }

  /// Answers a recall, after `withdraw` if needed. If the offer stays open, it answers only if
  /// failures are watched, to show that it is alive.
  std::optional<offer_answer> recall(const offer_recall& what) {
    const auto& gangs = parts_->waiting.gangs().all();
    auto answer = parts_->offers.recall(what, gangs, parts_->waiting.any());
    return answer || !failover() ? answer : parts_->offers.still_decides(gangs);
  }

  /// Returns the commits that were sent before `now` - commit_timeout and not answered, to be sent
  /// again.
  std::vector<outgoing> overdue(instant now) { return parts_->sender.send_overdue(now); }

  /// Returns when it has to decide again because a delay has ended, or nothing.
  std::optional<instant> next_retry() const { return parts_->waiting.next_due(); }

  // -- if failures are watched ---------------------------------------------------------------

  /// Makes the scheduler survive failures, including its own. `incarnation` is the scheduler's. An
  /// incarnation after the first begins with the takeover of the jobs and tasks of the previous
  /// one; if its view learns from snapshots, only resources in a snapshot count as free. Call it
  /// once, first.
  void watch_failures(incarnation_id incarnation, std::vector<std::uint32_t> stores,
                      std::uint32_t retries);

  /// The books that are kept for that, or null.
  failover_books* failover() { return parts_->failover ? &*parts_->failover : nullptr; }
  const failover_books* failover() const { return parts_->failover ? &*parts_->failover : nullptr; }

  /// Books the statement of an owner at the beginning of a session. Returns the commits that settle
  /// the transactions which the statement answers. Does nothing for a known session.
  std::vector<outgoing> reconcile(const owner_statement& statement, instant now);

  /// Takes jobs in that a store delivers.
  void deliver(const job_delivery& what, instant now);

  /// Takes note of machines that have joined a cluster that grows. Returns whether there are any
  /// since the last call, so that waiting tasks may find a machine. `refresh` and `report` do this
  /// too.
  bool catch_up();

  /// Counts the tasks that were granted to it twice.
  std::uint64_t granted_twice() const { return parts_->counters.granted_twice(); }

  /// Counts the placements that owners have not answered.
  std::uint64_t under_way() const;

  /// Returns whether a task is in a commit that has not been answered.
  bool awaits_answer(const task_id& task) const { return parts_->commits.awaits_answer(task); }

  /// Counts its tasks where they are kept: in the queue and what belongs to it, in commits, on
  /// machines.
  task_places places() const;

  /// Returns whether every task submitted is over.
  bool idle() const;

  /// Returns the counts since the last call, for each known group of jobs. Counts that do not
  /// belong to one group (the view, the commits sent) count for the scheduler's own group.
  std::vector<group_sample> take_samples(instant now);

  /// Returns the ages of the partitions in its view, in ms and at most 65535; nothing if it gets no
  /// snapshots.
  std::vector<std::uint16_t> view_ages(instant now) const;

  /// The records of jobs and tasks on their way to the recorder, or null. With `last`, those of the
  /// tasks that are being decided on are counted as in commit.
  record_outbox* recording(bool last);

  /// Says of the tasks that wait now why they do. Not to be used after any other call.
  record_book::reason_lookup reasons();

  const record_outbox* recording() const { return parts_->recording.get(); }

  const group_counters& counters() const { return parts_->counters.by_group(); }

private:
  void note_waiting(instant now);

  /// In builds with TROUPE_CHECKS: throws `std::logic_error` if a task is in no place, or in two.
  void check_balance() const;

  std::unique_ptr<scheduler_parts> parts_; ///< which refer to each other and must not move
};

} // namespace troupe
