#pragma once

#include "actors/open_offers.hpp"
#include "actors/scheduler_limits.hpp"
#include "actors/survival_books.hpp"
#include "model/busy_meter.hpp"
#include "model/gangs_aside.hpp"
#include "model/job_book.hpp"
#include "model/ledgers.hpp"
#include "model/own_share.hpp"
#include "model/placement_rules.hpp"
#include "model/reclaim_view.hpp"
#include "model/retry_queue.hpp"
#include "model/retry_rule.hpp"
#include "model/tenants.hpp"
#include "policies/policy.hpp"

#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

namespace troupe {

/// What a scheduler knows and decides, without the actor around it: its view, its queue, the
/// placements under way. Every task it has accepted is in exactly one place: queued, in commit,
/// running, or over.
///
/// What is decided on at a time of one job is a transaction. It is committed one placement at a
/// time, unless it stands or falls as one: always if the job is a gang, all tasks of which are then
/// decided on together, and for all jobs if the limits say so. Where such a transaction falls on
/// several owners, each holds its part until all have answered; then it is launched or released.
///
/// What stands or falls as one preempts nobody. A gang that does not fit the view is passed over
/// until enough for it may have become free; it is then tried again before the jobs behind it in
/// the queue. Where there seemed to be room and the policy found no place for all of it, a second
/// is long enough to wait. A gang that the machines, idle, could not hold together is abandoned.
class scheduler_core {
public:
  /// A task and the machine that was picked for it.
  struct decided {
    waiting_task task;
    machine_id machine = 0;
    std::uint32_t version = 0;
    duration age{0};       ///< of the partition it was decided on
    bool preempts = false; ///< others are to give way to it
    std::uint64_t transaction = 0;
    std::vector<alternative> others{}; ///< where it may go instead; without their index
  };

  /// A commit and the owner that it goes to.
  using outgoing = std::pair<owner_id, commit_request>;

  /// `machines` must outlive the core; `owner_of` says for each partition who owns it. `own_group`
  /// is the group of schedulers that it is one of. `tenants` says what those who share the cluster
  /// are due, if there are several; the owners must tell what each uses, or the scheduler place
  /// tasks alone where it does: those machines are then what shares are of.
  scheduler_core(scheduler_id id, const catalog& machines, std::vector<owner_id> owner_of,
                 std::unique_ptr<placement_policy> policy, const scheduler_limits& limits,
                 random_stream random, instant now, std::uint32_t own_group = 0,
                 std::vector<tenant_quota> tenants = {});

  scheduler_id id() const { return id_; }
  const view& seen() const { return view_; }

  /// Returns how many tasks of all groups are where.
  task_counts counts() const { return books_.total(); }

  /// Takes jobs in.
  void submit(std::vector<job> jobs);

  /// Decides on the next batch and charges it to the view. The decision begins at `from`, or now if
  /// that is not said; its time counts as busy as it passes. Returns how long it takes, or nothing
  /// if no task waits or the view has no room for the first one that does, and for the `look_past`
  /// behind it. A task that no machine within its reach could ever hold is abandoned. The
  /// placements stay here until `commit` hands them out; there must be no other batch that waits
  /// for that.
  std::optional<duration> decide(instant now, std::optional<instant> from = {});

  /// Takes another policy from the next decision on.
  void change_policy(std::unique_ptr<placement_policy> policy);

  /// Hands the decided batch out, a commit for each owner concerned.
  std::vector<outgoing> commit(instant now);

  /// Returns the placements of a commit that has not been answered, or null.
  const std::vector<decided>* find(owner_id owner, commit_id id) const;

  /// Books an owner's answer. One that was booked before is ignored. Returns the commits that
  /// settle what all owners have answered.
  std::vector<outgoing> answer(const commit_reply& reply, instant now);

  /// Refreshes the view.
  void refresh(sync_update&& update, instant now);

  /// Books the ends of tasks. Returns the number up to which the reports of this owner have been
  /// booked. One that comes again changes nothing. One that comes too early is kept until it can
  /// be booked: before the one that it follows, or before the answer that granted its tasks.
  std::uint64_t report(const task_report& report);

  /// The number up to which the reports of an owner have been seen.
  std::uint64_t reports_seen(owner_id owner) const { return channels_.at(owner).reports_seen; }

  /// Returns whether an offer, or a question after one, is of a later life of the allocator: those
  /// of earlier ones mean nothing any more, and a decision under way has to be withdrawn.
  bool replaces_offers(offer_id id) const { return life_of_offer(id) > offers_life_; }

  /// Adds an offer to the view. It is for the tasks that wait now: those that come while they are
  /// decided on wait for another one.
  void offer(const resource_offer& what);

  /// Answers the open offers, if there are any, and empties the view, or says that there are gangs
  /// to be offered room for. To be called when nothing can be decided on.
  std::optional<offer_answer> answer_offers();

  /// Puts the batch that is decided on and not handed out back to the head of the queue.
  void withdraw(instant now);

  /// Returns whether a decision under way has to be withdrawn for this recall to be answered.
  bool takes_back(const offer_recall& what) const;

  /// Answers a recall, after `withdraw` if that is called for; nothing if the offer stays open.
  std::optional<offer_answer> recall(const offer_recall& what);

  /// Returns the commits that were sent before `now` - commit_timeout and not answered, to be sent
  /// again.
  std::vector<outgoing> overdue(instant now);

  /// Returns when it has to decide again because a delay has ended, or nothing.
  std::optional<instant> next_retry() const;

  // -- where failures are watched (scheduler_core_recovery.cpp) ---

  /// Has it keep what it takes to survive the failures of others, and others its own. `life` is the
  /// scheduler's. A later life than the first begins by taking over the jobs and tasks of the life
  /// before; if its view learns from snapshots, it counts as free only what a snapshot has shown.
  /// To be called once, first.
  void survive(incarnation life, std::vector<std::uint32_t> stores, std::uint32_t retries);

  /// The books that are kept for that, or null.
  survival_books* survival() { return survival_.get(); }
  const survival_books* survival() const { return survival_.get(); }

  /// Books all that an owner knows, at the beginning of a session. Returns the commits that settle
  /// what is thereby answered. Nothing happens for a session that is known.
  std::vector<outgoing> reconcile(const owner_statement& statement, instant now);

  /// Takes jobs in that a store delivers.
  void deliver(const job_delivery& what, instant now);

  /// Counts the tasks that were granted to it twice.
  std::uint64_t granted_twice() const { return books_.duplicate_grants(); }

  /// Counts the placements that owners have not answered.
  std::uint64_t under_way() const;

  /// Returns whether a task is in a commit that has not been answered.
  bool awaits_answer(const task_id& task) const;

  /// Counts its tasks where they are kept: in the queue and what belongs to it, in commits, on
  /// machines.
  task_places places() const;

  /// Returns whether every task submitted is over.
  bool idle() const { return jobs_.open_jobs() == 0 && (!survival_ || survival_->left.empty()); }

  /// Returns what was counted since the last call, for each group of jobs that was heard of. What
  /// is not of one group (the view, the commits sent) counts for the scheduler's own.
  std::vector<group_sample> take_samples(instant now);

private:
  struct pending_commit {
    commit_id id = 0;
    instant sent{0};
    bool sent_again = false;
    std::vector<decided> placements;
    commit_mode mode = commit_mode::each;
    commit_id settles = 0;
    bool held = false;        ///< the owner has answered that it holds this
    bool charged = true;      ///< to the tenants: the owner has not told of it since
    std::uint32_t offers = 0; ///< the life of the allocator that it places tasks on offers of

    /// The commit that its placements are charged with at the owner.
    commit_id charged_by() const { return settles > 0 ? settles : id; }
  };

  /// Placements of one job that were decided on at a time.
  struct transaction {
    job_id job = 0;
    std::uint32_t group = 0;
    bool gang = false; ///< all tasks of a gang that has not started
    commit_mode mode = commit_mode::each;
    std::uint32_t tasks = 0;
    std::uint32_t open = 0; ///< commits that are not answered
    std::uint32_t granted = 0;
    bool conflicted = false;
    bool over = false;
    duration cost{0};                ///< of deciding
    instant accepted{0};             ///< when it was certain to be launched
    std::vector<owner_id> held_by;   ///< owners that hold parts
    std::vector<waiting_task> back;  ///< what was refused and waits for the last answer
    std::vector<refresh_mark> marks; ///< that those wait for
  };

  struct channel {
    std::deque<pending_commit> pending; ///< by id
    std::uint64_t reports_seen = 0;
    std::map<std::uint64_t, task_report> early; ///< reports to be booked later, by number
  };

  duration decision_time_of(const waiting_task& task, bool looks_anew) const;
  commit_request request(owner_id owner, const pending_commit& commit) const;
  outgoing pack(std::size_t from, instant now);
  void add_alternatives(decided& to, decision_context& context);
  bool possible(const waiting_task& task);
  void abandon_head(instant now);
  bool decide_gang(decision_context& context, duration& cost);
  void charge(const waiting_task& task, machine_id machine, std::uint64_t number,
              decision_context& context, bool preempts);
  std::uint64_t open_transaction(const waiting_task& task);
  transaction& find_transaction(std::uint64_t id) {
    return transactions_[static_cast<std::size_t>(id - first_transaction_)];
  }
  void close_transaction(std::uint64_t id, instant now);
  void count_attempt(const transaction& done, instant now);
  std::vector<outgoing> vote(std::uint64_t id, instant now);
  void withdraw_alternatives(decided& from);
  void divert(pending_commit& commit, const commit_reply& reply, instant now);
  void answer_each(const pending_commit& commit, const commit_reply& reply, instant now);
  void answer_together(const pending_commit& commit, const commit_reply& reply, instant now);
  void correct(const pending_commit& commit, const commit_reply& reply);
  void accept(const decided& d, instant now);
  void refuse(const decided& d, const rejection& why, instant now);
  void keep_away(machine_id machine, instant now);
  void retry(std::vector<waiting_task>& tasks, std::vector<refresh_mark>& marks, duration at_least,
             instant now);
  /// Returns how long what one of several owners has refused waits at least: after some attempts a
  /// random time. Schedulers that hold what the others want could else refuse each other for ever,
  /// in step.
  duration contention_delay(const transaction& refused);
  void queue_again(std::vector<waiting_task>& tasks);
  void abandon(const waiting_task& task, instant now);
  void abandon_job(job_id id, instant now);
  void empty_attempt(job_id id, instant now);
  void wake(instant now);
  void wake_gangs(instant now);
  void put_aside(waiting_task whole, instant now);
  bool sees_hidden() const { return limits_.share.how() != sharing::hard; }
  bool holds_together(waiting_task task);
  owner_id owner_of(machine_id m) const { return owner_of_[machines_->place_of(m).partition]; }
  void recharge(owner_id owner, commit_id after, machine_id only);
  void recharge(std::span<const decided> placements, partition_id p);
  bool awaits_answer(const task_report& report) const;
  bool book(const task_report& report);
  void book_early(owner_id owner);
  void close(const task_end& end);
  void close(ledgers::ledger& book, const task_id& task, instant at, task_fate fate, bool warm);
  void requeue(const preempted_task& gone);
  void release(machine_id m, const waiting_task& task);
  void refund(machine_id m, const waiting_task& task);
  std::optional<machine_id> preempt(const waiting_task& task);
  void charge_view(const decided& d);
  void recount_tenants(const sync_update& update);
  void charge_tenant(owner_id owner, const decided& d);
  void change(const machine_change& change);
  void set_capacity(machine_id m, const resources& capacity);
  resources capacity_of(machine_id m) const;
  void change_room(machine_id m, const resources& gain);
  void account_age(instant now);
  void note_waiting(instant now);
  void note_job_end(ledgers::ledger& book, const job_end& end, bool warm);
  bool forget_running(const task_id& task, machine_id machine);
  std::vector<outgoing> settle_commits(const owner_statement& statement, instant now);
  void settle_running(const owner_statement& statement, instant now);
  void drop_old_offers(offer_id latest);
  void note_capacities(const owner_statement& statement);
  void take_over();
  void resume(kept_job& left);
  void resume_running(const task_place& at);
  void locate(const task_id& task, machine_id machine);
  void locate_all(const owner_statement& statement);
  void move(const task_id& task, machine_id from, machine_id to);
  void put_back(const task_id& task);
  void settle_unsure();

  /// In builds with TROUPE_CHECKS: throws `std::logic_error` if a task is in no place, or in two.
  void check_balance() const;

  bool may_place() const {
    return batch_.size() < decision_quota_ && offers_.used() + batch_.size() < offer_quota_;
  }

  /// Returns how many tasks are decided on at a time, unless offers end too early for that.
  std::size_t most_at_a_time() const {
    return limits_.one_job ? std::numeric_limits<std::uint32_t>::max() : limits_.batch;
  }

  /// Returns whether a task waits that may be added to the batch.
  bool has_next() {
    if (limits_.one_job && !batch_.empty())
      return jobs_.continues(batch_.front().task.task.job);
    return jobs_.has_next();
  }

  ledgers::ledger& book_of(const waiting_task& task) { return books_.of(task.group()); }
  /// What is picked `alone` is not sought again before the view has gained.
  std::optional<machine_id> pick(const waiting_task& task, decision_context& context,
                                 bool alone = true);
  waiting_task take_head();

  scheduler_id id_;
  const catalog* machines_;
  std::vector<owner_id> owner_of_;
  std::unique_ptr<placement_policy> policy_;
  scheduler_limits limits_;
  random_stream random_;
  view view_;
  std::optional<reclaim_view> reclaim_;    ///< if it preempts
  std::unique_ptr<tenant_shares> tenants_; ///< if there are several; the book looks at it
  job_book jobs_;
  placement_rules rules_;
  std::vector<waiting_task> passed_; ///< looked past by the decision that is being made
  std::vector<decided> batch_;       ///< decided on, not yet handed out
  std::vector<bool> packed_;         ///< scratch: what of it is in a commit
  open_offers offers_;
  std::uint32_t offers_life_ = 0;                                     ///< of the allocator
  std::size_t offer_quota_ = std::numeric_limits<std::size_t>::max(); ///< tasks until the answer
  std::size_t decision_quota_ = 0;                                    ///< tasks of a decision
  std::vector<channel> channels_;                                     ///< by owner
  commit_id last_commit_ = 0;
  ledgers books_;
  busy_meter busy_;
  std::vector<placement_outcome> outcomes_;
  std::deque<transaction> transactions_; ///< under way, from number `first_transaction_` on
  std::uint64_t first_transaction_ = 0;
  retry_queue retries_;             ///< refused tasks that may not be tried again yet
  gangs_aside gangs_;               ///< those that did not fit the view
  gang_room room_;                  ///< what the view may hold of them
  bool view_gained_ = false;        ///< more may have become free since they were looked at
  bool cut_short_ = false;          ///< the last decision has left some that were to be tried
  instant rest_until_{0};           ///< when the restless ones are tried again in any case
  std::uint64_t asked_for_ = 0;     ///< the newest of them when offers were answered last
  bool named_impossible_ = false;   ///< a gang that the cluster cannot hold was named
  shunned_machines shunned_;        ///< kept away from
  machine_set tried_;               ///< scratch: what alternatives are not
  std::vector<waiting_task> again_; ///< scratch: refused tasks of one transaction
  std::vector<refresh_mark> marks_; ///< scratch: what they wait for
  instant age_accounted_{0};
  std::unique_ptr<survival_books> survival_; ///< where failures are watched
#ifdef TROUPE_CHECKS
  std::unordered_set<task_id> granted_; ///< what runs
#endif
};

} // namespace troupe
