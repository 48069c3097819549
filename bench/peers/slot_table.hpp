#pragma once

#include "peers/machine_map.hpp"

#include <bit>
#include <cstring>
#include <vector>

namespace troupe::peers {

/// The free slots of all machines, true or as a scheduler sees them, with sums over blocks and
/// partitions.
class slot_table {
public:
  /// Starts with all slots free. Keeps the mean weight of each partition's free slots if asked to.
  slot_table(const machine_map& machines, std::uint8_t slots, bool keep_means)
    : map_(&machines),
      keep_means_(keep_means),
      free_(machines.places()),
      blocks_(machines.places() >> machine_map::block_shift),
      weights_(machines.partitions),
      units_(machines.partitions),
      means_(machines.partitions) {
    for (std::uint32_t m = 0; m < machines.places(); ++m)
      if (machines.weight[m] > 0)
        change(m, slots);
  }

  std::uint8_t free(std::uint32_t machine) const { return free_[machine]; }
  std::uint64_t units() const { return total_; }
  std::uint64_t weight(std::uint32_t partition) const { return weights_[partition]; }

  /// The mean weights by partition, as the bits of positive floats: these compare as whole numbers.
  const std::vector<std::int32_t>& means() const { return means_; }

  /// Adds free slots to a machine, or takes them if `by` is negative.
  void change(std::uint32_t machine, int by) {
    const auto p = map_->partition_of(machine);
    const auto weight = static_cast<std::uint32_t>(by) * map_->weight[machine];
    free_[machine] = static_cast<std::uint8_t>(free_[machine] + by);
    blocks_[machine >> machine_map::block_shift] += weight;
    weights_[p] += weight;
    units_[p] += static_cast<std::uint32_t>(by);
    total_ += static_cast<std::uint32_t>(by);
    if (keep_means_)
      note_mean(p);
  }

  void set(std::uint32_t machine, std::uint8_t slots) {
    change(machine, int{slots} - int{free_[machine]});
  }

  /// Copies a partition of another table.
  void copy(const slot_table& from, std::uint32_t p) {
    const auto first = std::size_t{p} << map_->shift;
    const auto size = std::size_t{1} << map_->shift;
    std::memcpy(&free_[first], &from.free_[first], size);
    constexpr auto to_block = machine_map::block_shift;
    std::memcpy(&blocks_[first >> to_block], &from.blocks_[first >> to_block],
                (size >> to_block) * sizeof(blocks_[0]));
    total_ += from.units_[p] - units_[p];
    weights_[p] = from.weights_[p];
    units_[p] = from.units_[p];
    if (keep_means_)
      note_mean(p);
  }

  /// Returns the machine at position `at` (0 .. weight(p) - 1) of a partition's free slots laid out
  /// by weight.
  std::uint32_t machine_at(std::uint32_t p, std::uint64_t at) const {
    auto position = static_cast<std::uint32_t>(at);
    auto block = (p << map_->shift) >> machine_map::block_shift;
    while (position >= blocks_[block])
      position -= blocks_[block++];
    for (auto m = block << machine_map::block_shift;; ++m) {
      const auto weight = free_[m] * map_->weight[m];
      if (position < weight)
        return m;
      position -= weight;
    }
  }

private:
  void note_mean(std::uint32_t p) {
    means_[p] = units_[p] == 0 ? 0
                               : std::bit_cast<std::int32_t>(static_cast<float>(weights_[p]) /
                                                             static_cast<float>(units_[p]));
  }

  const machine_map* map_;
  bool keep_means_;
  std::vector<std::uint8_t> free_;
  std::vector<std::uint32_t> blocks_;  ///< sums of weights
  std::vector<std::uint32_t> weights_; ///< by partition
  std::vector<std::uint32_t> units_;   ///< by partition
  std::vector<std::int32_t> means_;
  std::uint32_t total_ = 0;
};

} // namespace troupe::peers
