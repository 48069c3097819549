#pragma once

#include "actors/sparrow/jobs/open_job.hpp"
#include "actors/sparrow/sparrow_limits.hpp"
#include "model/base/random.hpp"
#include "model/cluster/catalog.hpp"
#include "model/cluster/machine_pools.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace troupe {

/// The machines that a Sparrow scheduler may probe or reserve on now, and the draws among them.
/// Machines that are away or are to be drained are left out, those that have too little for a task,
/// and those whose windows do not let it start.
class probed_machines {
public:
  /// `machines` must outlive it.
  probed_machines(const catalog& machines, const sparrow_limits& limits, random_stream random)
    : machines_(&machines), time_(limits.time), random_(random), pools_(machines) {}

  // -- draws --------------------------------------------------------------------------------------

  /// Begins the draws for another job: every machine may be drawn.
  void begin() { pools_.begin(); }

  /// The same, without the machines on which the job has a reservation, or that it must avoid.
  void begin_without_used(const open_job& j);

  /// Excludes a machine until the next begin. Returns whether it was included.
  bool leave_out(machine_id machine) { return pools_.leave_out(machine); }

  /// Draws up to `n` machines for a group, and notes with the group if none was open to it. With
  /// `repeat`, all may be drawn once more when all have been. The result is good until the next
  /// draw.
  const std::vector<machine_id>& draw(open_job& j, std::uint32_t g, std::size_t n, bool repeat);

  // -- questions ----------------------------------------------------------------------------------

  machine_id count() const { return static_cast<machine_id>(machines_->machines()); }
  bool is_gone(machine_id machine) const { return pools_.is_gone(machine); }

  /// Whether a machine is there, suits a group, and has enough for a task of it, if it is idle.
  bool may_take(const open_job& j, std::uint32_t g, machine_id machine) const {
    return pools_.contains(j.groups[g].pool, machine) && has_room(j, g, machine);
  }

  /// Whether a machine has enough for a task of a group now, if it is idle.
  bool has_room(const open_job& j, std::uint32_t g, machine_id machine) const {
    return pools_.has_room(machine, j.what.groups[g].demand);
  }

  /// Whether the windows of a machine let tasks of a job start there now.
  bool is_open_to(const open_job& j, machine_id machine) const;

  /// Whether a task of a group, which is noted as running, must not have started where it has.
  bool is_wrong(const open_job& j, std::uint32_t g, machine_id machine, instant at) const;

  // -- changes ------------------------------------------------------------------------------------

  machine_pools& pools() { return pools_; }

  /// Removes a machine. Returns false if it had been removed before.
  bool remove(machine_id machine);

  /// Takes in a machine that was removed. Returns false if it was not.
  bool restore(machine_id machine);

  /// Has a machine left out that is to be drained. Returns false if it is drained already.
  bool retire(machine_id machine);

  /// Leaves a machine out that is away, and takes it in again unless it is to be drained.
  void set_away(machine_id machine, bool away);

private:
  bool heeds_windows() const;

  const catalog* machines_;
  std::function<instant()> time_;
  random_stream random_;
  machine_pools pools_;
  std::vector<machine_id> drawn_;
  std::optional<open_classes> open_; ///< to the job in hand, if machines have windows
  std::set<machine_id> leaving_;     ///< machines that are to be drained
};

} // namespace troupe
