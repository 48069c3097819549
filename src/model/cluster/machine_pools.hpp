#pragma once

#include "model/base/random.hpp"
#include "model/cluster/catalog.hpp"
#include "model/jobs/constraint.hpp"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace troupe {

/// The machines that may be probed for each kind of demand: those that meet its constraints and can
/// hold it when idle. Machines are drawn at random. No machine is drawn twice for a job while
/// others are left. In a cluster that grows, `catch_up` brings all pools up to date.
class machine_pools {
public:
  using pool_id = std::uint32_t;

  /// `machines` must outlive the pools.
  explicit machine_pools(const catalog& machines);

  /// Takes note of machines that have joined. Returns whether pools may have changed.
  bool catch_up();

  /// Returns the pool for tasks with these constraints and this demand.
  pool_id pool_of(const std::vector<constraint>& constraints, const resources& demand);

  bool contains(pool_id p, machine_id machine) const {
    return !gone_[machine] && suits(p, machine);
  }

  /// Returns whether a machine, removed or not, meets the constraints of a pool and can hold its
  /// tasks when idle.
  bool suits(pool_id p, machine_id machine) const { return pools_[p].fits[shape_of_[machine]]; }

  std::size_t size(pool_id p) const { return pools_[p].members.size(); }

  /// Begins the draws for another job: every machine may be drawn.
  void begin() { ++round_; }

  /// Excludes a machine from the draws until the next `begin`. Returns whether it was included.
  bool leave_out(machine_id machine) { return std::exchange(drawn_in_[machine], round_) != round_; }

  /// Draws `n` machines that have not been drawn since `begin`, and appends them to `out`. When all
  /// have been drawn, with `repeat` all may be drawn once more; otherwise, or if the pool is empty,
  /// fewer are returned. Machines that have too little for `demand` now are left out, and those
  /// that are not `open`, if that is given. The cost per machine does not depend on the size of the
  /// pool.
  void draw(pool_id from, const resources& demand, std::size_t n, bool repeat,
            random_stream& random, std::vector<machine_id>& out,
            const open_classes* open = nullptr);

  /// Removes a machine from all pools.
  void remove(machine_id machine);

  /// Removes all machines.
  void remove_all();

  /// Restores a removed machine.
  void restore(machine_id machine);

  bool is_gone(machine_id machine) const { return gone_[machine]; }

  /// Notes the present capacity of a machine, at most the one in the catalog.
  void resize(machine_id machine, const resources& capacity);

  /// Returns whether a machine has enough for a demand now, if it is idle.
  bool has_room(machine_id machine, const resources& demand) const {
    if (lesser_.empty())
      return true;
    const auto it = lesser_.find(machine);
    return it == lesser_.end() || it->second.fits(demand);
  }

private:
  /// The properties of a machine that demands can distinguish.
  struct shape {
    std::uint32_t kind = 0;
    resources capacity;
  };

  struct pool {
    std::vector<constraint> constraints; ///< in a cluster that grows
    std::vector<bool> fits;              ///< by shape
    std::vector<machine_id> members;
  };

  struct request {
    std::vector<constraint> constraints;
    resources demand;
    pool_id pool = 0;
  };

  pool_id find(const std::vector<constraint>& constraints, const resources& demand);
  pool_id add(const std::vector<constraint>& constraints, std::vector<bool> fits);

  const catalog* machines_;
  std::vector<shape> shapes_;
  std::vector<std::uint32_t> shape_of_;              ///< by machine
  std::vector<bool> gone_;                           ///< by machine
  std::unordered_map<machine_id, resources> lesser_; ///< of machines with less than by the catalog
  std::vector<pool> pools_;
  std::map<std::vector<bool>, pool_id> by_shapes_;
  /// In a cluster that grows, instead: tasks that differ in their demands share a pool, as any
  /// place may get a machine that is large enough.
  std::map<std::vector<constraint>, pool_id> by_constraints_;
  std::uint64_t version_ = 0; ///< of what is known of such a cluster's machines
  request latest_;
  std::uint64_t round_ = 1;
  std::vector<std::uint64_t> drawn_in_; ///< by machine: the last round in which it was drawn
};

} // namespace troupe
