#pragma once

#include "actors/protocol/messages.hpp"
#include "model/cluster/catalog.hpp"
#include "model/explain/task_situation.hpp"
#include "model/protocol/failure_protocol.hpp"
#include "model/records/record_outbox.hpp"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace troupe {

/// Records of the jobs and tasks of a scheduler from a plugin, which keeps no records itself. It
/// receives the messages between the plugin and the cluster. Events inside the plugin are unknown:
/// when it begins to decide on a task, and why a task waits with it. The view age of an attempt is
/// the age of the newest snapshot of the partition that was sent to the plugin. Tasks are named by
/// the numbers of the cluster.
class plugin_records {
public:
  /// `machines` must outlive the object; `owner_of` names the owner of each partition, and is empty
  /// for the protocol `queues`.
  plugin_records(record_level level, scheduler_id id, const catalog& machines,
                 std::vector<owner_id> owner_of, task_watch* watch);

  /// The same, or null if nothing is to be recorded.
  static std::unique_ptr<plugin_records> make(record_level level, scheduler_id id,
                                              const catalog& machines,
                                              std::vector<owner_id> owner_of = {},
                                              task_watch* watch = nullptr);

  // -- jobs ---------------------------------------------------------------------------------------

  /// A job was taken in.
  void submit(const job& taken);

  /// A job was taken in that an earlier incarnation has left. `running` of its tasks run, or may
  /// run on `no_machine`.
  void resume(const kept_job& left, const std::vector<task_place>& running);

  // -- owners -------------------------------------------------------------------------------------

  /// The plugin is sent snapshots.
  void refresh(const sync_update& update);

  /// The plugin has committed a placement to an owner.
  void commit(owner_id owner, const placement& p, instant now);

  /// The owner has granted a machine.
  void grant(const task_id& task, machine_id machine, bool diverted, instant now);

  /// The owner holds another machine for a placement than its own.
  void divert(const task_id& task, machine_id machine);

  /// It stays unsure whether a task runs on a machine, or on `no_machine`.
  void run_before(const task_id& task, machine_id machine);

  /// The owner has refused a placement; the plugin has the task again.
  void refuse(owner_id owner, const placement& p, const rejection& why, instant now);

  // -- queues of machines -------------------------------------------------------------------------

  /// The plugin has sent a task to a machine.
  void send(const task_id& task, machine_id machine, instant now);

  /// The plugin has a task again that it had sent to a machine.
  void take_back(const task_id& task);

  void start(const task_id& task, machine_id machine, instant at);

  // -- ends, as in `record_book` ------------------------------------------------------------------

  void lose(const task_id& task, instant at);
  void preempt(const preempted_task& gone);
  void put_back(const task_id& task, instant since);
  void move(const task_id& task, machine_id machine);
  void end(const task_id& task, instant at, task_fate fate);

  /// The tasks of a group of jobs that wait with the plugin, by number.
  std::vector<task_id> waiting_of(std::uint32_t group) const;

  // -- records ------------------------------------------------------------------------------------

  const record_outbox& outbox() const { return outbox_; }

  /// Returns the records for an answer to the recorder that has the mark `now`.
  record_batch answer(const sample_request& asked, const sample_mark& now) {
    return outbox_.answer(asked.heard, now, asked.last, reasons_if(asked.last));
  }

  /// Returns all finished records; with `last`, also the records of jobs and tasks that are not
  /// over.
  record_batch take(bool last) { return outbox_.take(last, reasons_if(last)); }

  /// Says why tasks wait, as far as that is known.
  record_book::reason_lookup reasons() const;

  /// Where a task is, and why. It has no view and no place in a queue.
  task_situation situation_of(const task_id& task) const;

private:
  enum class place : std::uint8_t { with_plugin, in_commit, running };

  struct task_note {
    place at = place::with_plugin;
    std::uint32_t attempts = 0;      ///< since it was queued the last time
    instant since = no_instant;      ///< it was queued again; `no_instant`: it was not
    instant sent = no_instant;       ///< the last commit, or to the machine
    duration age = unknown_time;     ///< of the view, at the last commit
    machine_id machine = no_machine; ///< unless it waits
    owner_id owner = no_scheduler;   ///< likewise; `no_scheduler`: none
  };

  record_book& book() { return outbox_.book(); }
  const task_note* find(const task_id& task) const;
  bool knows(const task_id& task) const { return jobs_.contains(task.job); }
  instant queued_since(const task_id& task) const;
  double quality(const task_id& task, machine_id machine) const;
  void wait_again(const task_id& task, instant since);
  void tell_released(job_id id);
  wait_reason why_waits(const task_id& task) const;
  record_book::reason_lookup reasons_if(bool wanted) const {
    return wanted ? reasons() : record_book::reason_lookup{};
  }

  const catalog* machines_;
  record_outbox outbox_;
  std::vector<instant> taken_at_;        ///< by partition: the newest snapshot; empty: no owners
  std::unordered_map<job_id, job> jobs_; ///< those that are not over
  std::unordered_map<task_id, task_note> notes_; ///< of tasks that something has happened to
};

} // namespace troupe
