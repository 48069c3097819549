#pragma once

#include "model/base/free_table.hpp"
#include "model/base/unit_sums.hpp"
#include "model/owner/conflict_detection.hpp"
#include "model/owner/held_table.hpp"
#include "model/protocol/protocol.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace troupe {

/// Selects optional records about running tasks.
struct ranking_options {
  bool preemption = false;   ///< record which tasks may be preempted
  std::uint32_t tenants = 1; ///< record the use by each tenant, if there are several
};

/// A task that was preempted by one of higher priority, or for which its machine has no room any
/// more.
struct evicted_task {
  task_id task;
  scheduler_id scheduler = no_scheduler;
  machine_id machine = 0;
  grant_number grant = no_grant;
  duration ran{0};   ///< since it was granted
  bool lost = false; ///< its machine's capacity has shrunk
};

/// A task that runs on a machine of the partition.
struct running_task {
  task_id task;
  scheduler_id scheduler = no_scheduler;
  resources demand;
};

/// The authoritative state of one partition: free resources and running tasks. Only the partition's
/// owner has one. No machine is ever over capacity.
class partition_state {
public:
  /// Starts with every machine present and idle. `machines` must outlive the state.
  partition_state(const catalog& machines, partition_id partition, conflict_detection detection,
                  const ranking_options& ranking = {});

  partition_id partition() const { return partition_; }
  std::uint32_t size() const { return table_.size(); }
  std::uint32_t running() const { return running_; }
  std::uint32_t present() const { return present_count_; }

  /// Grants a placement, first come, first served, or returns the reason for the refusal. The
  /// machine must be in this partition. The rejection's `index` is left 0.
  ///
  /// A placement that preempts and finds no room takes the resources of tasks of lower priority, if
  /// they are enough: the lowest priorities first, and within a priority the tasks that were
  /// granted last, which lose least. Chosen tasks that turn out not to be needed are spared,
  /// highest priority first.
  std::optional<rejection> commit(const placement& wanted, scheduler_id scheduler,
                                  instant now = instant{0});

  /// The tasks that were evicted for the last granted placement.
  std::span<const evicted_task> evicted() const { return evicted_; }

  /// If this is the end of an evicted task, returns that task. Must be called before `end`: until
  /// that end has come, the task's grant number is not reused, so the end of a later run of the
  /// same task cannot be mistaken for it. Without a grant number, as in a machine's report of tasks
  /// that an earlier incarnation of the owner granted, searches for the machine and the task.
  std::optional<evicted_task> settle_evicted(machine_id machine, const task_id& task,
                                             grant_number grant);

  /// Forgets and returns the evicted tasks of a machine whose ends have not come and never will.
  std::vector<evicted_task> drop_evicted(machine_id machine);

  /// The evicted tasks whose ends have not come.
  const std::map<grant_number, evicted_task>& leaving() const { return leaving_; }

  /// The claims to a machine, as of before a grant.
  struct claim {
    std::uint32_t version = 0;
    scheduler_id winner = no_scheduler;
    scheduler_id runner_up = no_scheduler;
  };

  /// Returns the claims to a machine, for `undo`.
  claim claim_of(machine_id machine) const;

  /// Undoes the last grant on a machine completely. `before` are the claims from before it.
  void undo(const granted_placement& latest, const claim& before);

  /// Changes the priority of a running task, which determines the order of preemption.
  void rank_again(machine_id machine, grant_number grant, std::int32_t priority);

  /// The number of grants here, excluding undone ones: the partition's version.
  std::uint64_t grants() const { return grants_; }

  /// The machine's version: it counts the claims to it.
  std::uint32_t version(machine_id machine) const;

  /// The grant number of the last granted placement.
  grant_number latest_grant() const { return latest_grant_; }

  /// Records the end of a task and returns the task, or nothing if no such task runs there. Takes a
  /// few steps if `grant` is right, else one for each task of the partition.
  std::optional<running_task> end(machine_id machine, const task_id& task,
                                  grant_number grant = no_grant);

  /// A task, its machine, and the resources that it holds.
  struct placed_task {
    task_id task;
    machine_id machine = 0;
    resources demand;
  };

  /// Returns the tasks of a scheduler that run here, in no particular order. Slow.
  std::vector<placed_task> running_of(scheduler_id scheduler) const;

  /// Removes and opens a machine. Returns the tasks that were lost with it, in no particular order.
  std::vector<running_task> remove(machine_id machine);

  /// Restores a removed machine, idle. No effect if it is present.
  void restore(machine_id machine);

  // -- capacities that change (partition_state_capacity.cpp) ---

  /// While a machine is closed, its tasks are not preempted, and snapshots do not include them as
  /// preemptible. A restored machine is open.
  void close(machine_id machine, bool closed);

  /// The capacity of a machine; zero while it is absent.
  resources capacity_of(machine_id machine) const;

  /// Returns the grant numbers of the tasks that have to leave a machine so that the others fit
  /// into `capacity`: those of the lowest priority first, if priorities are recorded, then those of
  /// the highest grant number.
  std::vector<grant_number> surplus(machine_id machine, const resources& capacity) const;

  /// Removes a task from its machine and returns it. If it was `launched`, its grant number is not
  /// reused until `settle_evicted` has returned it on its end; that result names no scheduler if
  /// its scheduler was `told`.
  running_task expel(grant_number grant, bool launched, bool told = true);

  const running_task& task_at(grant_number grant) const { return entries_[grant].what; }

  /// Sets a machine's capacity, at most that of the catalog and enough for the tasks that run
  /// there; zero removes the machine.
  void set_capacity(machine_id machine, const resources& capacity);

  /// Hints to the processor that a machine of this partition, and the entry of `grant`, will be
  /// accessed soon. Callers that work through a batch call this well ahead: the state of many
  /// machines does not fit into the processor's caches.
  void prefetch(machine_id machine, grant_number grant = no_grant) const;

  bool is_present(machine_id machine) const;
  resources free(machine_id machine) const;

  /// The capacity of the present machines, and the part of it in use.
  const resource_sum& capacity() const { return capacity_; }
  const resource_sum& used() const { return used_; }

  /// Free resources on machines without room for the catalog's fragment.
  const resource_sum& stranded() const { return stranded_; }

  /// The units of capacity in use, of the resource with the greatest share (1 is everything).
  double utilization() const;

  /// The use by each tenant; empty if there is a single one.
  const std::vector<resource_sum>& used_by_tenant() const { return used_by_tenant_; }

  /// Returns the present state. From the first call on, units are counted at every change.
  partition_snapshot snapshot(instant now);

  /// Counts machines whose free resources and running tasks do not add up to their capacity. Slow:
  /// for checks of invariants.
  std::uint32_t inconsistent() const;

private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  static constexpr std::uint32_t has_left = none - 1; ///< evicted; its end has not come yet

  struct entry {
    running_task what;
    std::uint32_t machine = none; ///< its index; `none` if the entry is free
  };

  /// The properties that rank a running task, if they are recorded.
  struct rank {
    instant granted{0};
    duration runtime{0};
    std::int32_t priority = 0;
    std::uint32_t tenant = 0;
  };

  struct machine_state {
    std::uint32_t version = 0;
    scheduler_id winner = no_scheduler;    ///< received the last grant
    scheduler_id runner_up = no_scheduler; ///< the last other scheduler with a grant before
    bool present = true;
    bool closed = false;
  };

  /// Returns the index of a machine. Throws `std::invalid_argument` if it is of another partition.
  std::uint32_t index_of(machine_id machine) const {
    const auto index = machine - first_; // of a lower machine than the first, it wraps around
    if (index >= size())
      refuse_stranger(machine);
    return index;
  }
  [[noreturn]] void refuse_stranger(machine_id machine) const;
  resources stranded_on(std::uint32_t index) const;
  template <class Change>
  void change(std::uint32_t index, Change apply) {
    const auto counted = [&] {
      if (sums_)
        sums_->change(table_, index, apply);
      else
        apply();
    };
    if (!strands_) {
      counted();
      return;
    }
    stranded_ -= stranded_on(index);
    counted();
    stranded_ += stranded_on(index);
  }
  bool would_fit_by_catalog(std::uint32_t index, const placement& wanted) const;
  grant_number note(std::uint32_t index, const running_task& what);
  running_task erase(grant_number grant);
  evicted_task settle(std::map<grant_number, evicted_task>::iterator at);
  held_table held_where_open() const;
  void keep_rank(grant_number grant, const placement& wanted, std::uint32_t index, instant now);
  bool make_room(std::uint32_t index, const placement& wanted, instant now);
  void evict(grant_number grant, machine_id machine, instant now);
  grant_number find(std::uint32_t index, const task_id& task, grant_number grant) const;
  rejection refuse(std::uint32_t index, conflict_cause cause, scheduler_id scheduler) const;

  const catalog* machines_;
  partition_id partition_;
  machine_id first_; ///< the machines of a partition are numbered in a row
  conflict_detection detection_;
  free_table table_;
  std::optional<unit_sums> sums_; ///< of the table, if there are snapshots
  std::vector<machine_state> states_;
  std::vector<entry> entries_; ///< running tasks, by grant number
  std::vector<grant_number> free_entries_;
  ranking_options ranking_;
  bool ranks_kept_ = false;
  std::vector<rank> ranks_; ///< by grant number, if recorded
  held_table held_;
  std::vector<resource_sum> used_by_tenant_;
  std::vector<evicted_task> evicted_;
  std::vector<grant_number> victims_;            ///< used by `make_room`
  std::map<grant_number, evicted_task> leaving_; ///< tasks whose ends have not come yet
  std::uint32_t closed_ = 0;                     ///< number of machines
  std::map<std::uint32_t, resources> reduced_;   ///< of machines with less than in the catalog
  grant_number latest_grant_ = no_grant;
  std::uint64_t grants_ = 0;
  std::uint32_t running_ = 0;
  std::uint32_t present_count_ = 0;
  resource_sum used_{};
  resource_sum capacity_{};
  resource_sum stranded_{};
  bool strands_ = true; ///< whether free resources can be less than the unit
};

} // namespace troupe
