#pragma once

#include "model/base/free_table.hpp"
#include "model/protocol/protocol.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace troupe {

/// The resources in use on the machines of one partition, by priority. A task of a higher priority
/// could preempt them. Machines are identified by their index within the partition.
class held_table {
public:
  /// Starts with no running task. `machines` must outlive the table.
  held_table(const catalog& machines, partition_id partition) : nothing_(machines, partition) {
    nothing_.assign(std::vector<std::int32_t>(nothing_.cells().size()));
  }

  std::uint32_t size() const { return nothing_.size(); }

  void add(std::uint32_t index, std::int32_t priority, const resources& held);
  void remove(std::uint32_t index, std::int32_t priority, const resources& held);

  /// Forgets the tasks of one machine.
  void clear(std::uint32_t index);

  /// Returns whether any task of a lower priority runs here.
  bool any_below(std::int32_t priority) const;

  /// Adds the lower priorities that running tasks have to `out`.
  void priorities_below(std::int32_t priority, std::set<std::int32_t>& out) const;

  /// Returns the resources that tasks of a lower priority hold on a machine.
  resources below(std::uint32_t index, std::int32_t priority) const;

  /// The resources held at each priority with any running task, lowest first.
  std::vector<held_band> bands() const;

  /// The number of priorities that it has room for: those of running tasks, and lately of others.
  std::size_t size_in_bands() const { return bands_.size(); }

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
