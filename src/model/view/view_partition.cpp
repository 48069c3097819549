#include "model/view/view_partition.hpp"

#include "model/base/spare_buffers.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace troupe {

view_partition::view_partition(const catalog& machines, partition_id partition)
  : table_(machines, partition), sums_(machines, partition, table_) {}

void view_partition::copy_idle() {
  table_ = idle_->table_;
  sums_ = idle_->sums_;
  idle_ = nullptr;
}

void view_partition::take(std::uint32_t index, const resources& demand) {
  own();
  if (has_versions_)
    ++version_at(index);
  sums_.change(table_, index, [&] { table_.take(index, demand); });
}

void view_partition::give(std::uint32_t index, const resources& amount) {
  own();
  sums_.change(table_, index, [&] { table_.give(index, amount); });
}

void view_partition::give_back(std::uint32_t index, const resources& demand) {
  own();
  if (has_versions_)
    --version_at(index);
  sums_.change(table_, index, [&] { table_.give(index, demand); });
}

void view_partition::correct(std::uint32_t index, const resources& free, std::uint32_t version) {
  own();
  if (has_versions_)
    version_at(index) = version;
  sums_.change(table_, index, [&] { table_.set(index, free); });
}

void view_partition::assign(cell_array cells, std::vector<std::uint32_t> versions,
                            counted_units counted) {
  if (!versions.empty() && versions.size() != size())
    throw std::invalid_argument("a snapshot with " + std::to_string(versions.size()) +
                                " versions for " + std::to_string(size()) + " machines");
  own();
  table_.exchange(cells);
  versions_.swap(versions);
  has_versions_ = !versions_.empty();
  if (!sums_.exchange(counted))
    sums_.rebuild(table_);
  cell_array::recycle(std::move(cells));
  spare_buffers<std::uint32_t>::give(std::move(versions));
  spare_buffers<std::uint32_t>::give(std::move(counted.machines));
  spare_buffers<std::uint64_t>::give(std::move(counted.sums));
}

std::optional<std::uint32_t> view_partition::first_fitting(std::uint32_t from,
                                                           const resources& demand) const {
  for (std::uint32_t k = 0; k < size(); ++k) {
    const auto i = (from + k) % size();
    if (fits(i, demand))
      return i;
  }
  return std::nullopt;
}

} // namespace troupe
