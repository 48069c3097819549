#pragma once

#include "model/catalog.hpp"
#include "model/constraint.hpp"
#include "model/random.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace troupe {

/// The machines that may be probed for which tasks: for each kind of demand the machines that meet
/// its constraints and could hold it when idle. Machines are drawn at random, each at most once for
/// a job as long as there are others.
class machine_pools {
public:
  using pool_id = std::uint32_t;

  /// `machines` must outlive the pools.
  explicit machine_pools(const catalog& machines);

  /// Returns the pool for tasks with these constraints and this demand.
  pool_id pool_of(const std::vector<constraint>& constraints, const resources& demand);

  bool contains(pool_id p, machine_id machine) const {
    return !gone_[machine] && pools_[p].fits[shape_of_[machine]];
  }

  std::size_t size(pool_id p) const { return pools_[p].members.size(); }

  /// Begins the draws for another job: every machine may be drawn.
  void begin() { ++round_; }

  /// Leaves a machine out of the draws until the next `begin`. Returns whether it was in.
  bool leave_out(machine_id machine) { return std::exchange(drawn_in_[machine], round_) != round_; }

  /// Draws `n` machines that have not been drawn since `begin`, and appends them to `out`. If there
  /// are no more, all may be drawn once more if `repeat`; otherwise, or if the pool is empty, there
  /// are fewer. Takes a few steps for each, however many machines there are.
  void draw(pool_id from, std::size_t n, bool repeat, random_stream& random,
            std::vector<machine_id>& out);

  /// Takes a machine out of all pools.
  void remove(machine_id machine);

  /// Takes all machines out.
  void remove_all();

  /// Takes a machine in again that was taken out.
  void restore(machine_id machine);

  bool is_gone(machine_id machine) const { return gone_[machine]; }

private:
  /// Machines that no demand can tell apart.
  struct shape {
    std::uint32_t kind = 0;
    resources capacity;
  };

  struct pool {
    std::vector<bool> fits; ///< by shape
    std::vector<machine_id> members;
  };

  struct request {
    std::vector<constraint> constraints;
    resources demand;
    pool_id pool = 0;
  };

  pool_id find(const std::vector<constraint>& constraints, const resources& demand);

  const catalog* machines_;
  std::vector<shape> shapes_;
  std::vector<std::uint32_t> shape_of_; ///< by machine
  std::vector<bool> gone_;              ///< by machine
  std::vector<pool> pools_;
  std::map<std::vector<bool>, pool_id> by_shapes_;
  request latest_;
  std::uint64_t round_ = 1;
  std::vector<std::uint64_t> drawn_in_; ///< by machine: the round in which it was drawn last
};

} // namespace troupe
