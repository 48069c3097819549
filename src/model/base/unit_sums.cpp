#include "model/base/unit_sums.hpp"

#include <utility>

namespace troupe {

unit_sums::unit_sums(const catalog& machines, partition_id partition, const free_table& table)
  : machines_(&machines),
    partition_(partition),
    unit_is_one_(machines.columns().size() == 1 &&
                 machines.unit()[machines.columns().front()] == 1),
    classes_(machines.task_classes()),
    blocks_((table.size() + block_size() - 1) / block_size()) {
  if (!unit_is_one_)
    counted_.machines.resize(table.size());
  counted_.sums.resize(rows() * (1 + blocks_));
  rebuild(table);
}

std::uint32_t unit_sums::units_of(const free_table& table, std::uint32_t index) const {
  return positive(times_fitting(table.at(index), machines_->unit()));
}

template <class Units>
void unit_sums::sum_up(std::uint32_t size, Units units) {
  const auto sum_row = [&](std::size_t to, auto count) {
    std::uint64_t total = 0;
    for (std::uint32_t b = 0; b < blocks_; ++b) {
      std::uint64_t sum = 0;
      const auto end = std::min(size, (b + 1) * block_size());
      for (auto i = b * block_size(); i < end; ++i)
        sum += count(i);
      row(to)[b] = sum;
      total += sum;
    }
    counted_.sums[to] = total;
  };
  sum_row(0, [&](std::uint32_t i) { return std::uint64_t{units(i)}; });
  for (std::uint32_t c = 0; c < classes_; ++c) {
    const auto of_class = weights(c);
    sum_row(1 + c, [&](std::uint32_t i) { return of_class[i] * std::uint64_t{units(i)}; });
  }
}

void unit_sums::rebuild(const free_table& table) {
  const auto size = table.size();
  if (unit_is_one_) {
    table.cells().look([&](const auto* cells) {
      sum_up(size, [cells](std::uint32_t i) { return positive(cells[i]); });
    });
    return;
  }
  for (std::uint32_t i = 0; i < size; ++i)
    counted_.machines[i] = units_of(table, i);
  sum_up(size, [this](std::uint32_t i) { return counted_.machines[i]; });
}

bool unit_sums::exchange(counted_units& counted) {
  if (counted.sums.size() != counted_.sums.size() ||
      counted.machines.size() != counted_.machines.size())
    return false;
  std::swap(counted_, counted);
  return true;
}

/// Calls `find` with a function that returns the units on a machine.
template <class Find>
std::uint32_t unit_sums::by_units(const free_table& table, Find find) const {
  if (!unit_is_one_)
    return find([this](std::uint32_t i) { return counted_.machines[i]; });
  return table.cells().look([&](const auto* cells) {
    return find([cells](std::uint32_t i) { return positive(cells[i]); });
  });
}

template <class Count>
std::uint32_t unit_sums::machine_at(std::size_t of, std::uint64_t at, Count count) const {
  const auto* blocks = row(of);
  std::uint32_t b = 0;
  while (at >= blocks[b])
    at -= blocks[b++];
  for (auto i = b * block_size();; ++i) {
    const std::uint64_t n = count(i);
    if (at < n)
      return i;
    at -= n;
  }
}

std::uint32_t unit_sums::machine_at_weight(const free_table& table, std::uint64_t at,
                                           std::uint32_t task_class) const {
  const auto of_class = weights(task_class);
  return by_units(table, [&](auto units) {
    return machine_at(1 + task_class, at,
                      [&](std::uint32_t i) { return std::uint64_t{of_class[i]} * units(i); });
  });
}

std::uint32_t unit_sums::machine_at_unit(const free_table& table, std::uint64_t at) const {
  return by_units(table, [&](auto units) { return machine_at(0, at, units); });
}

} // namespace troupe
