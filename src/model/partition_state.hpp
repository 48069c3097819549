#pragma once

#include "model/free_table.hpp"
#include "model/protocol.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace troupe {

/// How an owner decides whether a placement conflicts (Schwarzkopf et al., Omega, EuroSys 2013,
/// section 5.2).
enum class conflict_detection : std::uint8_t {
  fine,   ///< it would over-commit the machine
  coarse, ///< the machine has been claimed since the view was taken
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
  partition_state(const catalog& machines, partition_id partition, conflict_detection detection);

  partition_id partition() const { return partition_; }
  std::uint32_t size() const { return table_.size(); }
  std::uint32_t running() const { return running_; }
  std::uint32_t present() const { return present_count_; }

  /// Grants a placement, first come, first served, or says why not. The machine must be one of this
  /// partition. The rejection's `index` is left 0.
  std::optional<rejection> commit(const placement& wanted, scheduler_id scheduler);

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

  /// Takes a machine out and returns the tasks that were lost with it, in no particular order.
  std::vector<running_task> remove(machine_id machine);

  /// Takes a machine in again, idle. No effect if it is present.
  void restore(machine_id machine);

  /// Hints to the processor that a machine of this partition, and what is noted at `grant`, are
  /// about to be looked at. Whoever works through a batch calls it well ahead: the memory of many
  /// machines does not fit into its caches.
  void prefetch(machine_id machine, grant_number grant = no_grant) const;

  bool is_present(machine_id machine) const;
  resources free(machine_id machine) const;

  /// The units of capacity in use, by the resource of which most is used (1 is everything).
  double utilization() const;

  partition_snapshot snapshot(instant now) const;

  /// Counts machines whose free resources and running tasks do not add up to their capacity. Slow:
  /// for the invariants.
  std::uint32_t inconsistent() const;

private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  struct entry {
    running_task what;
    std::uint32_t machine = none; ///< its index; none where nothing is noted
  };

  struct machine_state {
    std::uint32_t version = 0;
    scheduler_id winner = no_scheduler;    ///< granted something last
    scheduler_id runner_up = no_scheduler; ///< the last one before, another one
    bool present = true;
  };

  std::uint32_t index_of(machine_id machine) const;
  grant_number note(std::uint32_t index, const running_task& what);
  running_task erase(grant_number grant);
  grant_number find(std::uint32_t index, const task_id& task, grant_number grant) const;
  rejection refuse(std::uint32_t index, conflict_cause cause, scheduler_id scheduler) const;

  const catalog* machines_;
  partition_id partition_;
  conflict_detection detection_;
  free_table table_;
  std::vector<machine_state> states_;
  std::vector<entry> entries_; ///< what runs, by grant number
  std::vector<grant_number> free_entries_;
  grant_number latest_grant_ = no_grant;
  std::uint64_t grants_ = 0;
  std::uint32_t running_ = 0;
  std::uint32_t present_count_ = 0;
  std::array<std::int64_t, resource_kinds> used_{};
  std::array<std::int64_t, resource_kinds> capacity_{};
};

} // namespace troupe
