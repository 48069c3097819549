#include "model/base/free_table.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace troupe {

free_table::free_table(const catalog& machines, partition_id partition)
  : kinds_(machines.columns()),
    size_(static_cast<std::uint32_t>(machines.members(partition).size())) {
  for (std::size_t c = 0; c < kinds_.size(); ++c) {
    const auto capacities = machines.capacities(partition, c);
    cells_.append(capacities.data(), capacities.size());
  }
}

void free_table::check_size(const cell_array& cells) const {
  if (cells.size() != cells_.size())
    throw std::invalid_argument("a snapshot of " + std::to_string(cells.size()) +
                                " cells for a partition of " + std::to_string(cells_.size()));
}

void free_table::assign(const cell_array& cells) {
  check_size(cells);
  cells_ = cells;
}

void free_table::exchange(cell_array& cells) {
  check_size(cells);
  std::swap(cells_, cells);
}

} // namespace troupe
