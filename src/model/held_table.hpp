#pragma once

#include "model/free_table.hpp"
#include "model/protocol.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace troupe {

/// What runs on the machines of one partition, by priority: what a task of a higher priority could
/// have. Machines are named by their index within the partition.
class held_table {
public:
  /// Starts with nothing running. `machines` is read at once, and not kept.
  held_table(const catalog& machines, partition_id partition) : nothing_(machines, partition) {
    nothing_.assign(std::vector<std::int32_t>(nothing_.cells().size()));
  }

  std::uint32_t size() const { return nothing_.size(); }

  void add(std::uint32_t index, std::int32_t priority, const resources& held);
  void remove(std::uint32_t index, std::int32_t priority, const resources& held);

  /// Forgets what runs on one machine.
  void clear(std::uint32_t index);

  /// Returns whether anything of a lower priority runs here.
  bool any_below(std::int32_t priority) const;

  /// Adds the lower priorities that anything runs at to `out`.
  void priorities_below(std::int32_t priority, std::set<std::int32_t>& out) const;

  /// Returns what tasks of a lower priority hold on a machine.
  resources below(std::uint32_t index, std::int32_t priority) const;

  /// What is held at each priority at which anything is, lowest first.
  std::vector<held_band> bands() const;

  /// Replaces everything. Throws `std::invalid_argument` if a band is not of this partition's size.
  void assign(const std::vector<held_band>& bands);

private:
  struct band {
    std::int32_t priority = 0;
    free_table held;
    std::int64_t sum = 0; ///< of all cells
  };

  band& at(std::int32_t priority);

  free_table nothing_;
  std::vector<band> bands_; ///< lowest priority first
};

} // namespace troupe
