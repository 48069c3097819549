#pragma once

#include "actors/plugin/plugin_books.hpp"
#include "actors/plugin/plugin_records.hpp"
#include "actors/protocol/messages.hpp"
#include "actors/scheduler/failover_books.hpp"
#include "model/cluster/catalog.hpp"

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <variant>
#include <vector>

namespace troupe {

struct plugin_member_rules {
  scheduler_id id = 0;
  std::uint32_t group = 0; ///< that it belongs to
  incarnation_id incarnation = 1;
  std::vector<std::uint32_t> stores{}; ///< that give it jobs
  std::uint32_t retries = 0;           ///< lost runs of a task until it is given up; 0: never
  duration commit_timeout = std::chrono::seconds{2}; ///< then a commit is sent again
  /// Owners report changes of machines, but send no snapshots: the plugin's view learns from its
  /// own tasks. While a task runs on a machine that the plugin does not know, the plugin is told
  /// that the machine has less.
  bool own_tasks = false;
  instant warmup{0}; ///< jobs submitted earlier are left out of the times of jobs
};

/// The member between a scheduler from a plugin and a cluster that watches failures, without the
/// actor around it. The plugin sees a cluster in which nothing fails but machines: owners that
/// answer every commit once, and reports that come once and in order.
///
/// - Its commits are kept and repeated until they are answered. If an owner is replaced, the new
///   owner's statement answers them: tasks that run were granted, the others are refused. Tasks
///   that the statement lacks are reported as lost, so the plugin places them again by its
///   protocol. Commits that hold, release, or launch tasks that do not run yet are sent
///   to the new owner.
/// - A later incarnation of the scheduler begins with a new actor of the plugin. That actor gets
///   the open tasks of the jobs that are left (`plugin_jobs`). Tasks that run are kept here, and
///   shown to it only if they are lost and have to be placed again.
/// - Of a job that spreads, no task is placed beside one that the plugin does not know to be of it.
/// - A task that may run on a machine that its owner does not know counts as running; if it is not
///   found, it is reported as lost.
///
/// `failover_books` has the part that it shares with the built-in scheduler.
class plugin_member_core {
public:
  using plugin_message = std::variant<submission, commit_reply, sync_update, task_report>;

  /// `machines` must outlive the core; `owner_of` names the owner of each partition. `records` are
  /// null if nothing is recorded.
  plugin_member_core(plugin_member_rules rules, const catalog& machines,
                     std::vector<owner_id> owner_of, instant now,
                     std::unique_ptr<plugin_records> records = nullptr);

  /// Takes a commit of the plugin to an owner. One that comes again changes nothing.
  void commit(owner_id owner, commit_request wanted, instant now);

  /// Books an owner's answer. One that was booked before is ignored.
  void answer(const commit_reply& reply, instant now);

  /// Hands a snapshot on.
  void refresh(sync_update update);

  /// Books an owner's report, in its turn: after the reports before it, and after the answers that
  /// granted its tasks.
  void report(const task_report& report);

  /// Books all that an owner knows, at the beginning of a session.
  void reconcile(const owner_statement& statement, instant now);

  /// Takes jobs in that a store delivers.
  void deliver(const job_delivery& what);

  /// Repeats the commits that have had no answer for `commit_timeout`.
  void repeat(instant now);

  /// The plugin counts no task of a group of jobs in its queue or in commits, and it counts
  /// `given_up` more tasks as abandoned than this core. So it has given up the tasks that are
  /// queued with it, if these are not more. Returns their number. Call it only if the plugin has
  /// received nothing since it counted.
  std::uint64_t abandon_queued(std::uint32_t group, std::uint64_t given_up, instant now);

  /// Returns the messages for the plugin, in order, and the commits to send.
  std::vector<plugin_message> take_told();
  std::vector<std::pair<owner_id, commit_request>> take_commits();

  /// Counts the messages to the plugin and its commits.
  std::uint64_t told() const { return told_count_; }
  std::uint64_t commits() const { return commit_count_; }

  failover_books* failover() { return &failover_; }
  const failover_books* failover() const { return &failover_; }
  const plugin_jobs& jobs() const { return books_.jobs; }

  task_counts counts() const { return books_.counters().total(); }
  plugin_records* records() { return records_.get(); }
  const plugin_records* records() const { return records_.get(); }
  const record_outbox* recording() const { return records_ ? &records_->outbox() : nullptr; }
  const group_counters& counters() const { return books_.counters(); }
  std::uint64_t granted_twice() const { return books_.counters().duplicate_grants(); }

  /// Counts the placements that owners have not answered.
  std::uint64_t under_way() const;

  /// Returns whether a task is in a commit that has not been answered.
  bool awaits_answer(const task_id& task) const;

  /// Counts its tasks where they are kept.
  task_places places() const;

  bool idle() const { return books_.jobs.empty() && failover_.left.empty(); }

  /// Returns the counts since the last call: the plugin's own counts over the same time, with the
  /// places of tasks and the times of jobs as they are known here.
  std::vector<group_sample> take_samples(std::vector<group_sample> of_plugin, instant now);

private:
  using place = plugin_jobs::place;

  struct pending_commit {
    commit_request what; ///< by the numbers of the cluster
    commit_id of_plugin = 0;
    instant sent{0};
    std::vector<rejection> left_out{}; ///< of the plugin's placements
  };

  struct channel {
    std::deque<pending_commit> pending;       ///< by id
    std::map<commit_id, pending_commit> held; ///< granted and not settled, by the plugin's number
    commit_id latest = 0;                     ///< of the plugin
    commit_id renumbered = 0;                 ///< commits that were sent under two numbers
    std::uint64_t reports_seen = 0;
    std::map<std::uint64_t, task_report> early; ///< reports to be booked later, by number
    std::uint64_t told = 0;                     ///< reports to the plugin
    task_report next{};                         ///< to the plugin
  };

  commit_id number_of(owner_id owner, commit_id of_plugin) const;
  commit_id plugin_number(owner_id owner, commit_id id) const;
  owner_id owner_of(machine_id m) const { return owner_of_[machines_->place_of(m).partition]; }
  group_counters::book& book_of(const task_id& task) { return books_.of(task); }
  scheduler_sample& own_sample() { return books_.counters().own(); }
  void send(owner_id owner, const pending_commit& commit);
  void tell(plugin_message what);
  void submit(std::vector<job> jobs);
  void answer_left_out(instant now);
  bool knows_together(const task_id& a, const task_id& b) const;
  bool has_beside(const task_id& task, machine_id machine) const;
  std::vector<rejection> keep_apart(commit_request& wanted) const;
  static void leave_out(commit_request& wanted, std::uint32_t index);
  static commit_reply answer_to_all(const pending_commit& of, commit_reply reply);
  void send_again(owner_id owner, pending_commit commit, instant now);
  bool settle(owner_id owner, commit_request& wanted);
  void refuse_all(owner_id owner, const commit_request& wanted);
  void hold(pending_commit commit, const commit_reply& reply);
  void book_answer(const pending_commit& of, const commit_reply& reply,
                   const std::set<task_id>& unsure, instant now);
  void accept(const task_id& task, machine_id machine, bool sure);
  void refuse(const task_id& task, conflict_cause cause);
  bool awaits_answer(const task_report& report) const;
  bool book(const task_report& report);
  void book_early(owner_id owner);
  void flush_reports();
  bool forget_running(const task_id& task, machine_id machine);
  void close(const task_end& end);
  void close_for_good(const task_id& task, instant at, task_fate fate);
  void requeue(const preempted_task& gone);
  void queue_again(const task_id& task, instant at);
  void tell_end(const plugin_jobs::task_record& was, task_outcome outcome, instant at);
  void occupy(const task_id& task, machine_id machine);
  void vacate(const task_id& task, machine_id machine);
  void settle_commits(const owner_statement& statement, instant now);
  void settle_running(const owner_statement& statement, instant now);
  void settle_unsure(instant now);
  void locate(const task_id& task, machine_id machine);
  void put_back(const task_id& task, instant now);
  void change(const machine_change& change);
  resources capacity_of(machine_id m) const;
  void set_capacity(machine_id m, const resources& capacity);
  void note_capacities(const owner_statement& statement);
  void take_over();
  void resume(kept_job left);
  void check_balance() const;

  plugin_member_rules rules_;
  const catalog* machines_;
  std::vector<owner_id> owner_of_;
  std::vector<channel> channels_; ///< by owner
  plugin_books books_;
  std::unique_ptr<plugin_records> records_; ///< null: none are kept
  failover_books failover_;
  std::map<machine_id, resources> reduced_; ///< of machines that have less than by the catalog
  std::vector<plugin_message> told_;
  std::vector<std::pair<owner_id, commit_request>> commits_;
  std::uint64_t told_count_ = 0;
  std::uint64_t commit_count_ = 0;
#ifdef TROUPE_CHECKS
  std::set<task_id> granted_; ///< tasks that run, to find those that are granted twice
#endif
};

} // namespace troupe
