#pragma once

#include "model/owner/partition_state.hpp"
#include "model/protocol/failure_protocol.hpp"
#include "model/protocol/sync_plan.hpp"

#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace troupe {

/// The partitions of one owner: the state of each, their sums, and the states and versions that
/// schedulers receive.
class owned_partitions {
public:
  /// `machines` must outlive this. `names_versions`: schedulers receive the versions of partitions.
  owned_partitions(const catalog& machines, std::span<const partition_id> owned,
                   conflict_detection detection, const ranking_options& ranking,
                   bool names_versions);

  const catalog& machines() const { return *machines_; }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }

  /// Returns the partition of a machine, or null if this owner does not own it.
  const partition_state* find(machine_id machine) const {
    if (machine >= machines_->machines())
      return nullptr;
    const auto i = part_of_[machines_->place_of(machine).partition];
    return i == not_owned ? nullptr : &parts_[i];
  }
  partition_state* find(machine_id machine) {
    return const_cast<partition_state*>(std::as_const(*this).find(machine));
  }

  /// Returns the share of the capacity in use, or nothing while no machine is present.
  std::optional<double> utilization() const;

  /// The number of tenants whose use is recorded; 0 if there is a single one.
  std::uint32_t tenants() const { return tenants_; }

  /// Returns the use of all machines by each of them.
  std::vector<resource_sum> used_by_tenant() const;

  /// Returns the running tasks of a scheduler, with the evicted ones that may still run if
  /// `evicted_too`, by rising id. Slow.
  std::vector<task_place> running_of(scheduler_id scheduler, bool evicted_too) const;

  /// Counts the machines that are over capacity or whose records are wrong. Slow.
  std::uint32_t inconsistent() const;

  /// Makes versions greater than those that earlier incarnations of the owner have named.
  void begin_versions(incarnation_id incarnation) {
    version_base_ = std::uint64_t{incarnation} << 40;
  }

  /// A scheduler, and the index of a partition that is due for it.
  using due_snapshot = std::pair<scheduler_id, std::uint32_t>;

  /// Returns what `plan` has for these schedulers in round `n`, by scheduler and then by index,
  /// until the next call.
  std::span<const due_snapshot> due(const sync_plan& plan, std::uint64_t n,
                                    std::uint32_t schedulers);

  /// Adds the snapshots of partitions that are due for one scheduler.
  void add_snapshots(sync_update& to, std::span<const due_snapshot> due, instant now);

  /// Adds snapshots of all partitions.
  void add_snapshots(sync_update& to, instant now);

  /// Adds the present states of the machines concerned to the answer to a commit.
  void add_states(const commit_request& wanted, commit_reply& answer) const;

private:
  void add_snapshot(sync_update& to, partition_state& part, instant now);

  static constexpr auto not_owned = std::numeric_limits<std::uint32_t>::max();

  std::uint64_t version_of(const partition_state& part) const {
    return version_base_ + part.grants();
  }

  const catalog* machines_;
  std::vector<partition_state> parts_;
  std::vector<std::uint32_t> part_of_; ///< index in `parts_`, by partition
  std::uint32_t tenants_;
  bool names_versions_;
  std::uint64_t version_base_ = 0;
  std::vector<due_snapshot> due_; ///< of the last call
};

} // namespace troupe
