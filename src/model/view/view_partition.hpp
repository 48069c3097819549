#pragma once

#include "model/base/free_table.hpp"
#include "model/base/unit_sums.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace troupe {

/// One partition in a scheduler's view, with sums over blocks of machines. A machine can be sampled
/// by its score, or evenly, in a few dozen steps, and charged in a few. Machines are in falling
/// order of score, so the best ones are found first.
class view_partition {
public:
  /// Starts with every machine idle. `machines` must outlive this.
  view_partition(const catalog& machines, partition_id partition);

  /// Starts as `idle`, without a state of its own until the first change. `idle` must outlive this.
  explicit view_partition(const view_partition* idle) : idle_(idle) {}

  std::uint32_t size() const { return table().size(); }

  /// Units believed free on all machines together.
  std::uint64_t units() const { return sums().units(); }

  /// The sum of the units' weights, for a class of tasks.
  std::uint64_t weight(std::uint32_t task_class = 0) const { return sums().weight(task_class); }

  /// Units believed free on one machine.
  std::uint32_t units(std::uint32_t index) const { return sums().units(table(), index); }

  /// The free resources, column by column.
  const free_table& table() const { return idle_ == nullptr ? table_ : idle_->table_; }

  bool fits(std::uint32_t index, const resources& demand) const {
    return table().fits(index, demand);
  }

  resources free(std::uint32_t index) const { return table().at(index); }
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

  /// Replaces the state of all machines. Counts the units itself if `counted` is empty, or
  /// of another number of machines. Throws
  /// `std::invalid_argument` if the sizes differ.
  void assign(cell_array cells, std::vector<std::uint32_t> versions, counted_units counted = {});

  /// Returns the machine at position `at` (0 .. weight(task_class) - 1) of the units laid out by
  /// weight.
  std::uint32_t machine_at_weight(std::uint64_t at, std::uint32_t task_class = 0) const {
    return sums().machine_at_weight(table(), at, task_class);
  }

  /// Returns the machine at position `at` (0 .. units() - 1) of the units laid out one by one.
  std::uint32_t machine_at_unit(std::uint64_t at) const {
    return sums().machine_at_unit(table(), at);
  }

  /// Returns the first machine at or, wrapping around, after `from` that fits `demand`.
  std::optional<std::uint32_t> first_fitting(std::uint32_t from, const resources& demand) const;

  /// Hints to the processor that the sums are about to be read. Reads this.
  void prefetch_sums() const { sums().prefetch(); }

private:
  const unit_sums& sums() const { return idle_ == nullptr ? sums_ : idle_->sums_; }

  /// Gives it a state of its own, to change.
  void own() {
    if (idle_ != nullptr)
      copy_idle();
  }
  void copy_idle();

  std::uint32_t& version_at(std::uint32_t index) {
    if (versions_.empty())
      versions_.resize(size());
    return versions_[index];
  }

  const view_partition* idle_ = nullptr; ///< what it is like, if it has no state of its own
  free_table table_;
  std::vector<std::uint32_t> versions_; ///< empty while all are 0
  bool has_versions_ = true;            ///< otherwise all stay 0
  unit_sums sums_;
};

} // namespace troupe
