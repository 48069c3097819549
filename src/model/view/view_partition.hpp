#pragma once

#include "model/base/free_table.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace troupe {

/// One partition in a scheduler's view, with sums over blocks of machines. A machine can be sampled
/// by its score, or evenly, in a few dozen steps, and charged in a few.
///
/// A machine counts once for each unit (catalog::unit) that is believed to fit on it. Machines are
/// in falling order of score, so the best ones are found first. All sums are of whole numbers, so
/// they stay exact after any number of charges. Each class of tasks has its own sums of weights;
/// without classes there is only class 0.
class view_partition {
public:
  static constexpr std::uint32_t block_size = 32;

  /// Starts with every machine idle. `machines` must outlive this.
  view_partition(const catalog& machines, partition_id partition);

  std::uint32_t size() const { return table_.size(); }

  /// Units believed free on all machines together.
  std::uint64_t units() const { return units_; }

  /// The sum of the units' weights, for a class of tasks.
  std::uint64_t weight(std::uint32_t task_class = 0) const {
    return task_class == 0 ? weight_ : others_[task_class - 1].weight;
  }

  /// Units believed free on one machine.
  std::uint32_t units(std::uint32_t index) const { return counted_units(index); }

  /// The free resources, column by column.
  const free_table& table() const { return table_; }

  bool fits(std::uint32_t index, const resources& demand) const {
    return table_.fits(index, demand);
  }

  resources free(std::uint32_t index) const { return table_.at(index); }
  std::uint32_t version(std::uint32_t index) const {
    return versions_.empty() ? 0 : versions_[index];
  }

  /// Charges a placement, which is a claim: the machine's version changes as it will at its owner.
  void take(std::uint32_t index, const resources& demand);

  /// Gives an amount back at the end of a placement, which is no claim.
  void give(std::uint32_t index, const resources& amount);

  /// Reverts the last `take` on this machine.
  void give_back(std::uint32_t index, const resources& demand);

  /// Replaces the state of one machine.
  void correct(std::uint32_t index, const resources& free, std::uint32_t version);

  /// Replaces the state of all machines. Throws `std::invalid_argument` if the sizes differ.
  void assign(const std::vector<std::int32_t>& cells, std::vector<std::uint32_t> versions);

  /// Returns the machine at position `at` (0 .. weight(task_class) - 1) of the units laid out by
  /// weight.
  std::uint32_t machine_at_weight(std::uint64_t at, std::uint32_t task_class = 0) const;

  /// Returns the machine at position `at` (0 .. units() - 1) of the units laid out one by one.
  std::uint32_t machine_at_unit(std::uint64_t at) const;

  /// Returns the first machine at or, wrapping around, after `from` that fits `demand`.
  std::optional<std::uint32_t> first_fitting(std::uint32_t from, const resources& demand) const;

private:
  /// The weights of one of the classes beside class 0, and their sums.
  struct class_sums {
    std::span<const std::uint32_t> weights;
    std::vector<std::uint64_t> blocks;
    std::uint64_t weight = 0;
  };

  /// The number of units that fit on a machine now.
  std::uint32_t units_of(std::uint32_t index) const;

  /// The same, as included in the sums.
  std::uint32_t counted_units(std::uint32_t index) const {
    return unit_is_one_ ? static_cast<std::uint32_t>(std::max(table_.cells()[index], 0))
                        : machine_units_[index];
  }

  void count(std::uint32_t index, std::uint32_t before, std::uint32_t after);
  std::uint32_t machine_at(std::uint64_t at, const std::vector<std::uint64_t>& blocks,
                           std::span<const std::uint32_t> weights) const;
  template <class Change>
  void change(std::uint32_t index, Change apply);
  template <class Units>
  void sum_up(Units units);
  void rebuild();

  std::span<const std::uint32_t> weights_;
  resources unit_;
  free_table table_;
  std::vector<std::uint32_t> versions_;      ///< empty if they are not used
  std::vector<std::uint32_t> machine_units_; ///< empty if the table's cells equal the units
  std::vector<std::uint64_t> block_weights_;
  std::vector<std::uint64_t> block_units_;
  std::vector<class_sums> others_; ///< classes 1 and up
  std::uint64_t units_ = 0;
  std::uint64_t weight_ = 0;
  bool unit_is_one_ = false; ///< there is one kind of resource, and a unit is one of it
};

} // namespace troupe
