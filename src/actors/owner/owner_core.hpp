#pragma once

#include "actors/owner/answered_commits.hpp"
#include "actors/owner/commit_holds.hpp"
#include "actors/owner/owned_partitions.hpp"
#include "actors/owner/owner_meter.hpp"
#include "actors/owner/partition_meter.hpp"
#include "actors/owner/report_channel.hpp"
#include "actors/owner/scheduler_reports.hpp"
#include "model/explain/task_watch.hpp"
#include "model/protocol/sync_plan.hpp"

#include <algorithm>
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

/// A partition owner without the actor around it. It decides on commits, records the ends of tasks
/// and the changes of machines, and reports them to the schedulers and the allocator.
class owner_core {
public:
  /// `machines` must outlive the core. `now` is when the owner begins: it integrates over time from
  /// then on.
  owner_core(owner_id id, const catalog& machines, std::span<const partition_id> partitions,
             std::uint32_t schedulers, conflict_detection detection,
             const owner_duties& duties = {}, instant now = instant{0});

  owner_id id() const { return id_; }

  /// Decides on a commit, and appends the tasks to launch to `granted`. A commit that was decided
  /// before gets the same answer, and nothing is granted.
  commit_reply commit(const commit_request& wanted, std::vector<granted_placement>& granted,
                      instant now);

  /// Refuses a whole commit. A commit that was decided before gets the same answer.
  commit_reply refuse(const commit_request& wanted, conflict_cause cause);

  /// The tasks that the last commit has evicted, in the order of its granted placements, which name
  /// their numbers.
  const std::vector<evicted_task>& evicted() const { return evicted_; }

  /// Releases the holds of schedulers that have been silent since `heard_before`. Returns the
  /// number of their commits.
  std::size_t release_silent(instant heard_before, instant now);
  bool has_holds() const { return holds_.any(); }

  /// Calls `send` with each scheduler that `wants` accepts and the snapshots that `plan` has for it
  /// in round `n`, if there are any.
  template <class Wants, class Send>
  void sync(const sync_plan& plan, std::uint64_t n, instant now, Wants wants, Send send) {
    const auto due = parts_.due(plan, n, static_cast<std::uint32_t>(answers_.size()));
    for (auto it = due.begin(); it != due.end();) {
      const auto to = it->first;
      const auto end = std::find_if(it, due.end(), [&](const auto& d) { return d.first != to; });
      if (wants(to)) {
        sync_update update{id_, n, answers_[to].latest(), {}};
        parts_.add_snapshots(update, {it, end}, now);
        send(to, std::move(update));
      }
      it = end;
    }
  }

  /// Returns snapshots of all partitions, for a scheduler that has none, as if of round `n`.
  sync_update sync_all(std::uint64_t n, scheduler_id scheduler, instant now);

  /// Records ends of tasks. Ends of tasks that do not run here are counted and otherwise ignored.
  /// Returns how many ends schedulers will be told.
  std::size_t end(std::span<const task_end> ends, instant now);

  /// Removes a machine, and reports its tasks as lost.
  void remove(machine_id machine, instant now);

  /// Restores a removed machine, idle.
  void restore(machine_id machine, instant now);

  /// Sets the capacity of a machine that lives; zero: it leaves. Tasks that do not fit any more are
  /// reported as lost; if failures are watched, once the machine has killed them. Returns those
  /// that run, to be killed on the machine.
  std::vector<task_id> set_capacity(const machine_capacity& what, instant now);

  /// Leaves a machine the capacity that its tasks hold, so that none is started there; without
  /// tasks it leaves. To be called again when tasks have ended.
  void empty(machine_id machine, instant now);

  /// Gives such a machine its capacity back.
  void fill(const machine_capacity& what, instant now);

  // Reports to schedulers, as in `scheduler_reports`.
  bool has_news() const { return reports_.has_news(); }
  bool has_unseen() const { return reports_.has_unseen(); }
  scheduler_reports::outgoing reports(instant now) { return reports_.reports(now); }
  scheduler_reports::outgoing overdue(instant now, duration patience) {
    return reports_.overdue(now, patience);
  }
  void seen(scheduler_id scheduler, std::uint64_t number, instant now) {
    reports_.seen(scheduler, number, now);
  }
  std::vector<task_end> take_seen_ends() { return reports_.take_seen_ends(); }

  /// The reports to the allocator, or null if there is none.
  report_channel<capacity_report>* outbox() { return outbox_ ? &*outbox_ : nullptr; }
  const report_channel<capacity_report>* outbox() const { return outbox_ ? &*outbox_ : nullptr; }

  // -- if failures are watched ------

  /// Acts from now on as one incarnation of the owner, from 1, among members that may fail: it
  /// collects the ends that schedulers have seen, and reports an evicted task only once its machine
  /// has killed it, since it may run until then. To be called once, first.
  void watch_failures(incarnation_id incarnation);

  /// Tells `watch`, which must outlive this, of grants and of the evictions of its job.
  void watch(task_watch* watch) { watch_ = watch; }

  /// Its partitions, for code that explains its decisions.
  const owned_partitions& partitions() const { return parts_; }

  /// Records a task that already runs. Returns false if there is no room for it.
  bool adopt(const running_claim& claim, machine_id machine, instant now);

  /// Reports the end of a task that was never recorded here.
  void end_unbooked(scheduler_id scheduler, const task_end& end);

  /// Starts a session with another incarnation of a scheduler, or as another incarnation of the
  /// owner: forgets reports and answers, releases holds, and returns all that the scheduler has to
  /// know.
  owner_statement open_session(scheduler_id scheduler, std::uint64_t session, instant now);

  /// The same with the allocator. Holds of all schedulers are released: they are on offers of an
  /// earlier incarnation.
  capacity_statement open_allocator_session(std::uint64_t session, instant now);

  /// Returns that statement again, within a session. News are included, and are in a last report,
  /// which must still be sent.
  capacity_statement state_capacity() const;

  /// Returns the tasks of a scheduler that run, will run, or may still run, by rising id. Slow.
  std::vector<task_place> running_of(scheduler_id scheduler) const {
    return parts_.running_of(scheduler, watches_failures_);
  }

  /// The counts since the last sample, and the next sample.
  const owner_sample& counted() const { return meter_.counts(); }
  owner_sample take_sample(instant now) { return meter_.take(parts_, now); }

  /// Returns each partition's state, with its counts since the last call, if they are `wanted`;
  /// otherwise nothing, and does not count until the next call. The first counts are 0.
  std::vector<partition_details> take_details(bool wanted) {
    return partitions_.take(parts_, wanted);
  }

  // As in `owned_partitions`.
  std::vector<resource_sum> used_by_tenant() const { return parts_.used_by_tenant(); }
  std::uint32_t inconsistent() const { return parts_.inconsistent(); }

private:
  void decide(const commit_request& wanted, std::vector<granted_placement>& granted,
              commit_reply& reply, instant now);
  void launch(const commit_request& wanted, std::vector<granted_placement> held,
              std::vector<granted_placement>& granted, instant now);
  void tell_watch(const commit_request& wanted, std::span<const granted_placement> granted);
  void freed(machine_id machine, scheduler_id scheduler, const resources& amount);
  void lost(const running_task& what, machine_id machine, instant now);
  void preempted(const evicted_task& gone, instant at);
  void changed(const machine_change& change);
  bool settle_evicted(const evicted_task& gone, const task_end& end);
  void evicted_has_left(const evicted_task& gone, instant at);

  owner_id id_;
  owned_partitions parts_;
  owner_meter meter_;
  partition_meter partitions_;
  std::vector<answered_commits> answers_; ///< by scheduler
  commit_holds holds_;
  std::vector<evicted_task> evicted_; ///< by the last commit
  scheduler_reports reports_;
  std::optional<report_channel<capacity_report>> outbox_;
  bool watches_failures_ = false; ///< members may fail
  task_watch* watch_ = nullptr;
};

} // namespace troupe
