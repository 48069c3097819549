#include "model/base/free_table.hpp"

#include <stdexcept>

namespace troupe {

free_table::free_table(const catalog& machines, partition_id partition)
  : kinds_(machines.columns().begin(), machines.columns().end()) {
  const auto members = machines.members(partition);
  size_ = static_cast<std::uint32_t>(members.size());
  cells_.reserve(kinds_.size() * size_);
  for (auto kind : kinds_)
    for (auto m : members)
      cells_.push_back(machines.machine(m).capacity[kind]);
}

void free_table::assign(const std::vector<std::int32_t>& cells) {
  if (cells.size() != cells_.size())
    throw std::invalid_argument("a snapshot of " + std::to_string(cells.size()) +
                                " cells for a partition of " + std::to_string(cells_.size()));
  cells_.assign(cells.begin(), cells.end());
}

} // namespace troupe
