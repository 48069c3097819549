#pragma once

#include "model/free_table.hpp"
#include "model/held_table.hpp"
#include "model/protocol.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace troupe {

/// How an owner decides whether a placement conflicts (Schwarzkopf et al., Omega, EuroSys 2013,
/// section 5.2).
enum class conflict_detection : std::uint8_t {
  fine,   ///< it would over-commit the machine
  coarse, ///< the machine has been claimed since the view was taken
};

/// What a partition records about running tasks, if a setting needs it.
struct ranking_options {
  bool preemption = false;   ///< who could give way to whom
  std::uint32_t tenants = 1; ///< who uses how much, if there are several
};

/// A task that had to give way to one of higher priority.
struct evicted_task {
  task_id task;
  scheduler_id scheduler = no_scheduler;
  machine_id machine = 0;
  grant_number grant = no_grant;
  duration ran{0}; ///< since it was granted
};

/// A task that runs on a machine of the partition.
struct running_task {
  task_id task;
  scheduler_id scheduler = no_scheduler;
  resources demand;
};

/// The truth about one partition: what is free, what runs where. Only the partition's owner holds
/// one. No machine is ever over capacity.
class partition_state {
public:
  /// Starts with every machine present and idle. `machines` must outlive the state.
  partition_state(const catalog& machines, partition_id partition, conflict_detection detection,
                  const ranking_options& ranking = {});

  partition_id partition() const { return partition_; }
  std::uint32_t size() const { return table_.size(); }
  std::uint32_t running() const { return running_; }
  std::uint32_t present() const { return present_count_; }

  /// Grants a placement, first come, first served, or says why not. The machine must be one of this
  /// partition. The rejection's `index` is left 0.
  ///
  /// One that preempts and finds no room takes that of tasks of lower priority, if it is enough:
  /// the lowest priorities first, within a priority those granted last, who lose least; of the ones
  /// chosen in this way, those that are not needed after all are spared, highest priority first.
  std::optional<rejection> commit(const placement& wanted, scheduler_id scheduler,
                                  instant now = instant{0});

  /// The tasks that had to leave for the placement that was granted last.
  std::span<const evicted_task> evicted() const { return evicted_; }

  /// If this is the end of an evicted task, returns that task. It must be asked before `end`: until
  /// that end has come, the task's grant number is not used again, so that the end of a later run
  /// of the same task cannot be mistaken for it. Without a grant number, as a machine tells of what
  /// an earlier life of its owner has granted, the machine and the task are looked for.
  std::optional<evicted_task> settle_evicted(machine_id machine, const task_id& task,
                                             grant_number grant);

  /// Forgets the evicted tasks of a machine whose ends have not come and will not, and returns
  /// them.
  std::vector<evicted_task> drop_evicted(machine_id machine);

  /// The evicted tasks whose ends have not come.
  const std::map<grant_number, evicted_task>& leaving() const { return leaving_; }

  /// Who has claimed a machine, as of before a grant.
  struct claim {
    std::uint32_t version = 0;
    scheduler_id winner = no_scheduler;
    scheduler_id runner_up = no_scheduler;
  };

  /// Returns who has claimed a machine, to go back to with `undo`.
  claim claim_of(machine_id machine) const;

  /// Undoes the latest grant on a machine as if it had never been made. `before` is the claim from
  /// before it.
  void undo(const granted_placement& latest, const claim& before);

  /// Changes the priority of a running task, among those that could have to leave for others.
  void rank_again(machine_id machine, grant_number grant, std::int32_t priority);

  /// Counts the grants made here, those that were undone aside: the partition's version.
  std::uint64_t grants() const { return grants_; }

  /// The machine's version: it counts the claims to it.
  std::uint32_t version(machine_id machine) const;

  /// Where the placement that was granted last is noted.
  grant_number latest_grant() const { return latest_grant_; }

  /// Books the end of a task and returns what ran, or nothing if no such task runs there. Takes a
  /// few steps if `grant` holds, else one for each task of the partition.
  std::optional<running_task> end(machine_id machine, const task_id& task,
                                  grant_number grant = no_grant);

  /// A task, where it runs, and what it holds.
  struct placed_task {
    task_id task;
    machine_id machine = 0;
    resources demand;
  };

  /// Returns the tasks of a scheduler that run here, in no particular order. Slow.
  std::vector<placed_task> running_of(scheduler_id scheduler) const;

  /// Takes a machine out and returns the tasks that were lost with it, in no particular order.
  std::vector<running_task> remove(machine_id machine);

  /// Takes a machine in again, idle. No effect if it is present.
  void restore(machine_id machine);

  // -- capacities that change (partition_state_capacity.cpp) ---

  /// While a machine is closed, nobody on it has to give way, and snapshots tell of nobody who
  /// could. One that is taken in again is open.
  void close(machine_id machine, bool closed);

  /// What a machine has; nothing while it is not there.
  resources capacity_of(machine_id machine) const;

  /// Returns the tasks, by where they are noted, that have to leave a machine for the others to fit
  /// into `capacity`: those of the lowest priority, where that is kept, and of the highest number
  /// first.
  std::vector<grant_number> surplus(machine_id machine, const resources& capacity) const;

  /// Takes a task off its machine and returns it. If it was `launched`, its grant number is not
  /// used again until `settle_evicted` has seen its end, and has said that it is of no scheduler.
  running_task expel(grant_number grant, bool launched);

  const running_task& task_at(grant_number grant) const { return entries_[grant].what; }

  /// Says what a machine has from now on, no more than by the catalog and enough for what runs
  /// there; nothing: it leaves.
  void set_capacity(machine_id machine, const resources& capacity);

  /// Hints to the processor that a machine of this partition, and what is noted at `grant`, are
  /// about to be looked at. Whoever works through a batch calls it well ahead: the memory of many
  /// machines does not fit into its caches.
  void prefetch(machine_id machine, grant_number grant = no_grant) const;

  bool is_present(machine_id machine) const;
  resources free(machine_id machine) const;

  /// What the present machines have, and what of it is in use.
  const resource_sum& capacity() const { return capacity_; }
  const resource_sum& used() const { return used_; }

  /// What is free on machines without room for the catalog's fragment.
  const resource_sum& stranded() const { return stranded_; }

  /// The units of capacity in use, by the resource of which most is used (1 is everything).
  double utilization() const;

  /// What each tenant uses; none if there is a single one.
  const std::vector<resource_sum>& used_by_tenant() const { return used_by_tenant_; }

  partition_snapshot snapshot(instant now) const;

  /// Counts machines whose free resources and running tasks do not add up to their capacity. Slow:
  /// for the invariants.
  std::uint32_t inconsistent() const;

private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  static constexpr std::uint32_t has_left = none - 1; ///< evicted, its end is still to come

  struct entry {
    running_task what;
    std::uint32_t machine = none; ///< its index; none where nothing is noted
  };

  /// What ranks a running task among others, where that is kept.
  struct rank {
    instant granted{0};
    duration runtime{0};
    std::int32_t priority = 0;
    std::uint32_t tenant = 0;
  };

  struct machine_state {
    std::uint32_t version = 0;
    scheduler_id winner = no_scheduler;    ///< granted something last
    scheduler_id runner_up = no_scheduler; ///< the last one before, another one
    bool present = true;
    bool closed = false;
  };

  std::uint32_t index_of(machine_id machine) const;
  resources stranded_on(std::uint32_t index) const;
  template <class Change>
  void change(std::uint32_t index, Change apply) {
    if (!strands_) {
      apply();
      return;
    }
    stranded_ -= stranded_on(index);
    apply();
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
  conflict_detection detection_;
  free_table table_;
  std::vector<machine_state> states_;
  std::vector<entry> entries_; ///< what runs, by grant number
  std::vector<grant_number> free_entries_;
  ranking_options ranking_;
  bool ranks_kept_ = false;
  std::vector<rank> ranks_; ///< by grant number, where they are kept
  held_table held_;
  std::vector<resource_sum> used_by_tenant_;
  std::vector<evicted_task> evicted_;
  std::vector<grant_number> victims_;            ///< while room is made
  std::map<grant_number, evicted_task> leaving_; ///< whose ends are still to come
  std::uint32_t closed_ = 0;                     ///< machines
  std::map<std::uint32_t, resources> reduced_;   ///< of machines that have less than by the catalog
  grant_number latest_grant_ = no_grant;
  std::uint64_t grants_ = 0;
  std::uint32_t running_ = 0;
  std::uint32_t present_count_ = 0;
  resource_sum used_{};
  resource_sum capacity_{};
  resource_sum stranded_{};
  bool strands_ = true; ///< something free can be less than the unit at all
};

} // namespace troupe
