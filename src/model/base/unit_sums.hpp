#pragma once

#include "model/base/counted_units.hpp"
#include "model/base/free_table.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace troupe {

/// Keeps the sums of the units that fit on the machines of a partition, and of their weights,
/// over blocks of machines, while the partition's table changes. It finds the machine of a unit in
/// a few dozen steps.
///
/// A machine counts once for each unit. All sums are of whole numbers, so they stay exact after
/// any number of changes. Each class of tasks has its own sums of weights; without classes there
/// is only class 0.
class unit_sums {
public:
  unit_sums() = default;

  /// Counts the units of `table`. `machines` must outlive this.
  unit_sums(const catalog& machines, partition_id partition, const free_table& table);

  /// The units on all machines together.
  std::uint64_t units() const { return counted_.sums[0]; }

  /// The sum of the units' weights, for a class of tasks.
  std::uint64_t weight(std::uint32_t task_class) const { return counted_.sums[1 + task_class]; }

  /// The units on one machine.
  std::uint32_t units(const free_table& table, std::uint32_t index) const {
    return unit_is_one_ ? positive(table.cells()[index]) : counted_.machines[index];
  }

  /// Makes a change to one machine of the table.
  template <class Change>
  void change(const free_table& table, std::uint32_t index, Change apply) {
    const auto before = units(table, index);
    apply();
    if (!unit_is_one_)
      counted_.machines[index] = units_of(table, index);
    count(index, before, units(table, index));
  }

  /// Counts the units of a table that was replaced.
  void rebuild(const free_table& table);

  const counted_units& counted() const { return counted_; }

  /// Exchanges the counts for those of another table of the partition. Returns false, and changes
  /// nothing, if there are more or fewer of them.
  bool exchange(counted_units& counted);

  /// Returns the machine at position `at` (0 .. weight(task_class) - 1) of the units laid out by
  /// weight.
  std::uint32_t machine_at_weight(const free_table& table, std::uint64_t at,
                                  std::uint32_t task_class) const;

  /// Returns the machine at position `at` (0 .. units() - 1) of the units laid out one by one.
  std::uint32_t machine_at_unit(const free_table& table, std::uint64_t at) const;

  /// Hints to the processor that the sums of up to 32 blocks are about to be read, without classes
  /// of tasks.
  void prefetch() const {
    constexpr std::size_t in_a_line = 8;
    const auto most = std::min<std::size_t>(counted_.sums.size(), rows() * 33);
    for (std::size_t i = 0; i < most; i += in_a_line)
      __builtin_prefetch(&counted_.sums[i], 1);
  }

private:
  /// The machines of a block. Cells of a byte are read sooner, so a block has more of them.
  std::uint32_t block_size() const { return unit_is_one_ ? 64 : 32; }

  static std::uint32_t positive(std::int32_t cell) {
    return static_cast<std::uint32_t>(std::max(cell, 0));
  }

  std::uint32_t units_of(const free_table& table, std::uint32_t index) const;
  void count(std::uint32_t index, std::uint32_t before, std::uint32_t after) {
    // Unsigned: a decrease wraps around, and the sum is still right.
    const std::uint64_t more_units = std::uint64_t{after} - before;
    auto* const totals = counted_.sums.data();
    auto* block = totals + rows() + index / block_size();
    totals[0] += more_units;
    *block += more_units;
    for (std::uint32_t c = 0; c < classes_; ++c) {
      const std::uint64_t more_weight = weights(c)[index] * more_units;
      totals[1 + c] += more_weight;
      block += blocks_;
      *block += more_weight;
    }
  }
  template <class Units>
  void sum_up(std::uint32_t size, Units units);

  template <class Find>
  std::uint32_t by_units(const free_table& table, Find find) const;

  /// Returns the machine at position `at` when each takes as many as `count(index)`, whose sums
  /// are those of a row.
  template <class Count>
  std::uint32_t machine_at(std::size_t of, std::uint64_t at, Count count) const;

  /// The sums of the blocks: of units for row 0, of the weights of a class for the row after it.
  std::uint64_t* row(std::size_t of) { return &counted_.sums[rows() + of * blocks_]; }
  const std::uint64_t* row(std::size_t of) const { return &counted_.sums[rows() + of * blocks_]; }
  std::size_t rows() const { return 1 + std::size_t{classes_}; }

  std::span<const std::uint32_t> weights(std::uint32_t task_class) const {
    return machines_->weights(partition_, task_class);
  }

  const catalog* machines_ = nullptr;
  partition_id partition_ = 0;
  bool unit_is_one_ = false;  ///< there is one kind of resource, and a unit is one of it
  std::uint32_t classes_ = 0; ///< of tasks
  std::uint32_t blocks_ = 0;
  counted_units counted_;
};

} // namespace troupe
