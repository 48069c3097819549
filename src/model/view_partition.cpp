#include "model/view_partition.hpp"

#include <algorithm>
#include <stdexcept>

namespace troupe {

view_partition::view_partition(const catalog& machines, partition_id partition)
  : weights_(machines.weights(partition)),
    unit_(machines.unit()),
    table_(machines, partition),
    versions_(table_.size()),
    machine_units_(table_.size()),
    blocks_((table_.size() + block_size - 1) / block_size),
    unit_is_one_slot_(machines.columns().size() == 1 &&
                      machines.unit()[machines.columns().front()] == 1) {
  rebuild();
}

std::uint32_t view_partition::units_of(std::uint32_t index) const {
  const auto n = unit_is_one_slot_ ? table_.cells()[index] : times_fitting(table_.at(index), unit_);
  return static_cast<std::uint32_t>(std::max(n, 0));
}

void view_partition::recount(std::uint32_t index) {
  const auto before = machine_units_[index];
  const auto after = units_of(index);
  const std::uint64_t weight = weights_[index];
  machine_units_[index] = after;
  auto& block = blocks_[index / block_size];
  // Unsigned, so that a fall wraps around and comes out right.
  const std::uint64_t more_units = std::uint64_t{after} - before;
  const std::uint64_t more_weight = weight * more_units;
  block.units += more_units;
  block.weight += more_weight;
  units_ += more_units;
  weight_ += more_weight;
}

void view_partition::rebuild() {
  units_ = weight_ = 0;
  const auto n = size();
  if (unit_is_one_slot_)
    std::transform(table_.cells().begin(), table_.cells().end(), machine_units_.begin(),
                   [](std::int32_t x) { return static_cast<std::uint32_t>(std::max(x, 0)); });
  else
    for (std::uint32_t i = 0; i < n; ++i)
      machine_units_[i] = units_of(i);
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    block_sum sum;
    const auto end = std::min(n, (b + 1) * block_size);
    for (auto i = b * block_size; i < end; ++i) {
      sum.units += machine_units_[i];
      sum.weight += std::uint64_t{weights_[i]} * machine_units_[i];
    }
    blocks_[b] = sum;
    units_ += sum.units;
    weight_ += sum.weight;
  }
}

void view_partition::take(std::uint32_t index, const resources& demand) {
  table_.take(index, demand);
  if (!versions_.empty())
    ++versions_[index];
  recount(index);
}

void view_partition::correct(std::uint32_t index, const resources& free, std::uint32_t version) {
  table_.set(index, free);
  if (!versions_.empty())
    versions_[index] = version;
  recount(index);
}

void view_partition::assign(const std::vector<std::int32_t>& cells,
                            std::vector<std::uint32_t> versions) {
  if (!versions.empty() && versions.size() != size())
    throw std::invalid_argument("a snapshot with " + std::to_string(versions.size()) +
                                " versions for " + std::to_string(size()) + " machines");
  table_.assign(cells);
  versions_ = std::move(versions);
  rebuild();
}

std::uint32_t view_partition::machine_at_weight(std::uint64_t at) const {
  std::uint32_t b = 0;
  while (at >= blocks_[b].weight)
    at -= blocks_[b++].weight;
  for (auto i = b * block_size;; ++i) {
    const auto w = std::uint64_t{weights_[i]} * machine_units_[i];
    if (at < w)
      return i;
    at -= w;
  }
}

std::uint32_t view_partition::machine_at_unit(std::uint64_t at) const {
  std::uint32_t b = 0;
  while (at >= blocks_[b].units)
    at -= blocks_[b++].units;
  for (auto i = b * block_size;; ++i) {
    if (at < machine_units_[i])
      return i;
    at -= machine_units_[i];
  }
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
