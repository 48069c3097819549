#pragma once

#include "actors/plugin/owners/plugin_member_parts.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace troupe {

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
/// This class hands each call to the classes that the member consists of (`plugin_member_parts`).
/// `failover_books` has the part that it shares with the built-in scheduler.
class plugin_member_core {
public:
  using plugin_message = plugin_outbox::message;

  /// `machines` must outlive the core; `owner_of` names the owner of each partition. `records` are
  /// null if nothing is recorded.
  plugin_member_core(plugin_member_rules rules, const catalog& machines,
                     std::vector<owner_id> owner_of, instant now,
                     std::unique_ptr<plugin_records> records = nullptr)
    : parts_(std::move(rules), machines, std::move(owner_of), now, std::move(records)) {}

  /// Takes a commit of the plugin to an owner. One that comes again changes nothing.
  void commit(owner_id owner, commit_request wanted, instant now) {
    parts_.orders.commit(owner, std::move(wanted), now);
  }

  /// Books an owner's answer. One that was booked before is ignored.
  void answer(const commit_reply& reply, instant now) { parts_.answers.answer(reply, now); }

  /// Hands a snapshot on.
  void refresh(sync_update update);

  /// Books an owner's report, in its turn: after the reports before it, and after the answers that
  /// granted its tasks.
  void report(const task_report& report) { parts_.reports.receive(report); }

  /// Books all that an owner knows, at the beginning of a session.
  void reconcile(const owner_statement& statement, instant now);

  /// Takes jobs in that a store delivers.
  void deliver(const job_delivery& what) { parts_.earlier.deliver(what); }

  /// Takes note of machines that have joined a cluster that grows. If there are any since the last
  /// call, the plugin gets a report, which may be empty, so that it looks at waiting tasks again.
  void catch_up();

  /// Repeats the commits that have had no answer for `commit_timeout`.
  void repeat(instant now);

  /// The plugin counts no task of a group of jobs in its queue or in commits, and it counts
  /// `given_up` more tasks as abandoned than this core. So it has given up the tasks that are
  /// queued with it, if these are not more. Returns their number. Call it only if the plugin has
  /// received nothing since it counted.
  std::uint64_t abandon_queued(std::uint32_t group, std::uint64_t given_up, instant now) {
    return parts_.ends.abandon_queued(group, given_up, now);
  }

  /// Returns the messages for the plugin, in order, and the commits to send.
  std::vector<plugin_message> take_told();
  std::vector<std::pair<owner_id, commit_request>> take_commits() { return parts_.sender.take(); }

  /// Counts the messages to the plugin and its commits.
  std::uint64_t told() const { return parts_.told.told(); }
  std::uint64_t commits() const { return parts_.commits.count(); }

  failover_books* failover() { return &parts_.failover; }
  const failover_books* failover() const { return &parts_.failover; }
  const plugin_jobs& jobs() const { return parts_.books.jobs; }

  task_counts counts() const { return counters().total(); }
  plugin_records* records() { return parts_.records.get(); }
  const plugin_records* records() const { return parts_.records.get(); }
  const record_outbox* recording() const {
    return parts_.records ? &parts_.records->outbox() : nullptr;
  }
  const group_counters& counters() const { return parts_.books.counters(); }
  std::uint64_t granted_twice() const { return counters().duplicate_grants(); }

  /// Counts the placements that owners have not answered.
  std::uint64_t under_way() const { return parts_.commits.placements(); }

  /// Returns whether a task is in a commit that has not been answered.
  bool awaits_answer(const task_id& task) const {
    return jobs().is_at(task, plugin_jobs::place::in_commit);
  }

  /// Counts its tasks where they are kept.
  task_places places() const;

  bool idle() const { return jobs().empty() && parts_.failover.left.empty(); }

  /// Returns the counts since the last call: the plugin's own counts over the same time, with the
  /// places of tasks and the times of jobs as they are known here.
  std::vector<group_sample> take_samples(std::vector<group_sample> of_plugin, instant now) {
    return parts_.books.take_samples(std::move(of_plugin), parts_.failover.left, now);
  }

private:
  /// In builds with TROUPE_CHECKS: throws `std::logic_error` if a task is in no place, or in two.
  void check_balance() const;

  plugin_member_parts parts_;
  std::uint64_t growth_ = 0; ///< the version of the machines that the plugin has looked at
};

} // namespace troupe
