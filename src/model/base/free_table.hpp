#pragma once

#include "model/base/cell_array.hpp"
#include "model/cluster/catalog.hpp"

#include <cstdint>
#include <span>

namespace troupe {

/// The free resources of the machines of one partition, with a column for each kind of resource in
/// the cluster. Machines are identified by their index within the partition.
class free_table {
public:
  free_table() = default;

  /// Starts with every machine idle. `machines` must outlive the table.
  free_table(const catalog& machines, partition_id partition);

  std::uint32_t size() const { return size_; }

  resources at(std::uint32_t index) const {
    resources r;
    for (std::size_t c = 0; c < kinds_.size(); ++c)
      r[kinds_[c]] = cells_[c * size_ + index];
    return r;
  }

  void set(std::uint32_t index, const resources& free) {
    for (std::size_t c = 0; c < kinds_.size(); ++c)
      cells_.set(c * size_ + index, free[kinds_[c]]);
  }

  /// Returns whether `demand` fits; false if it asks for a kind of resource that no machine has.
  bool fits(std::uint32_t index, const resources& demand) const { return at(index).fits(demand); }

  void take(std::uint32_t index, const resources& demand) {
    for (std::size_t c = 0; c < kinds_.size(); ++c)
      cells_.set(c * size_ + index, cells_[c * size_ + index] - demand[kinds_[c]]);
  }

  void give(std::uint32_t index, const resources& demand) {
    for (std::size_t c = 0; c < kinds_.size(); ++c)
      cells_.set(c * size_ + index, cells_[c * size_ + index] + demand[kinds_[c]]);
  }

  /// The kinds of resource that have a column.
  std::span<const resource> kinds() const { return kinds_; }

  /// All cells, column by column, in the order of `catalog::columns`.
  const cell_array& cells() const { return cells_; }

  /// Replaces all cells. Throws `std::invalid_argument` if the number of cells differs.
  void assign(const cell_array& cells);

  /// Exchanges all cells. Throws as `assign` does.
  void exchange(cell_array& cells);

private:
  void check_size(const cell_array& cells) const;

  std::span<const resource> kinds_;
  std::uint32_t size_ = 0;
  cell_array cells_;
};

} // namespace troupe
