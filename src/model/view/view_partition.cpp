#include "model/view/view_partition.hpp"

#include <algorithm>
#include <stdexcept>

namespace troupe {

view_partition::view_partition(const catalog& machines, partition_id partition)
  : weights_(machines.weights(partition)),
    unit_(machines.unit()),
    table_(machines, partition),
    versions_(table_.size()),
    block_weights_((table_.size() + block_size - 1) / block_size),
    block_units_(block_weights_.size()),
    unit_is_one_(machines.columns().size() == 1 &&
                 machines.unit()[machines.columns().front()] == 1) {
  if (!unit_is_one_)
    machine_units_.resize(table_.size());
  for (std::uint32_t c = 1; c < machines.task_classes(); ++c)
    others_.push_back(
      {machines.weights(partition, c), std::vector<std::uint64_t>(block_weights_.size()), 0});
  rebuild();
}

std::uint32_t view_partition::units_of(std::uint32_t index) const {
  return static_cast<std::uint32_t>(std::max(times_fitting(table_.at(index), unit_), 0));
}

void view_partition::count(std::uint32_t index, std::uint32_t before, std::uint32_t after) {
  // Unsigned: a decrease wraps around, and the sum is still right.
  const std::uint64_t more_units = std::uint64_t{after} - before;
  const std::uint64_t more_weight = weights_[index] * more_units;
  block_units_[index / block_size] += more_units;
  block_weights_[index / block_size] += more_weight;
  units_ += more_units;
  weight_ += more_weight;
  for (auto& other : others_) {
    const std::uint64_t more = other.weights[index] * more_units;
    other.blocks[index / block_size] += more;
    other.weight += more;
  }
}

template <class Change>
void view_partition::change(std::uint32_t index, Change apply) {
  const auto before = counted_units(index);
  apply();
  if (!unit_is_one_)
    machine_units_[index] = units_of(index);
  count(index, before, counted_units(index));
}

template <class Units>
void view_partition::sum_up(Units units) {
  units_ = weight_ = 0;
  for (std::uint32_t b = 0; b < block_units_.size(); ++b) {
    std::uint64_t sum = 0;
    std::uint64_t weight = 0;
    const auto end = std::min(size(), (b + 1) * block_size);
    for (auto i = b * block_size; i < end; ++i) {
      const std::uint64_t n = units(i);
      sum += n;
      weight += weights_[i] * n;
    }
    block_units_[b] = sum;
    block_weights_[b] = weight;
    units_ += sum;
    weight_ += weight;
  }
  for (auto& other : others_) {
    other.weight = 0;
    for (std::uint32_t b = 0; b < block_units_.size(); ++b) {
      std::uint64_t weight = 0;
      const auto end = std::min(size(), (b + 1) * block_size);
      for (auto i = b * block_size; i < end; ++i)
        weight += other.weights[i] * std::uint64_t{units(i)};
      other.blocks[b] = weight;
      other.weight += weight;
    }
  }
}

void view_partition::rebuild() {
  if (unit_is_one_) {
    const auto* cells = table_.cells().data();
    sum_up([cells](std::uint32_t i) { return static_cast<std::uint32_t>(std::max(cells[i], 0)); });
    return;
  }
  for (std::uint32_t i = 0; i < size(); ++i)
    machine_units_[i] = units_of(i);
  sum_up([this](std::uint32_t i) { return machine_units_[i]; });
}

void view_partition::take(std::uint32_t index, const resources& demand) {
  if (!versions_.empty())
    ++versions_[index];
  change(index, [&] { table_.take(index, demand); });
}

void view_partition::give(std::uint32_t index, const resources& amount) {
  change(index, [&] { table_.give(index, amount); });
}

void view_partition::give_back(std::uint32_t index, const resources& demand) {
  if (!versions_.empty())
    --versions_[index];
  change(index, [&] { table_.give(index, demand); });
}

void view_partition::correct(std::uint32_t index, const resources& free, std::uint32_t version) {
  if (!versions_.empty())
    versions_[index] = version;
  change(index, [&] { table_.set(index, free); });
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

std::uint32_t view_partition::machine_at_weight(std::uint64_t at, std::uint32_t task_class) const {
  if (task_class == 0)
    return machine_at(at, block_weights_, weights_);
  const auto& other = others_[task_class - 1];
  return machine_at(at, other.blocks, other.weights);
}

inline std::uint32_t view_partition::machine_at(std::uint64_t at,
                                                const std::vector<std::uint64_t>& blocks,
                                                std::span<const std::uint32_t> weights) const {
  std::uint32_t b = 0;
  while (at >= blocks[b])
    at -= blocks[b++];
  for (auto i = b * block_size;; ++i) {
    const auto w = std::uint64_t{weights[i]} * counted_units(i);
    if (at < w)
      return i;
    at -= w;
  }
}

std::uint32_t view_partition::machine_at_unit(std::uint64_t at) const {
  std::uint32_t b = 0;
  while (at >= block_units_[b])
    at -= block_units_[b++];
  for (auto i = b * block_size;; ++i) {
    if (at < counted_units(i))
      return i;
    at -= counted_units(i);
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
