#include "model/base/free_table.hpp"

#include <stdexcept>

namespace troupe {

free_table::free_table(const catalog& machines, partition_id partition)
  : kinds_(machines.columns().begin(), machines.columns().end()) {
  size_ = static_cast<std::uint32_t>(machines.members(partition).size());
  cells_.reserve(kinds_.size() * size_);
  for (std::size_t c = 0; c < kinds_.size(); ++c) {
    const auto capacities = machines.capacities(partition, c);
    cells_.insert(cells_.end(), capacities.begin(), capacities.end());
  }
}

void free_table::check_size(const std::vector<std::int32_t>& cells) const {
  if (cells.size() != cells_.size())
    throw std::invalid_argument("a snapshot of " + std::to_string(cells.size()) +
                                " cells for a partition of " + std::to_string(cells_.size()));
}

void free_table::assign(const std::vector<std::int32_t>& cells) {
  check_size(cells);
  cells_.assign(cells.begin(), cells.end());
}

void free_table::exchange(std::vector<std::int32_t>& cells) {
  check_size(cells);
  cells_.swap(cells);
}

} // namespace troupe
