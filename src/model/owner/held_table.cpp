#include "model/owner/held_table.hpp"

#include <algorithm>
#include <numeric>

namespace troupe {

namespace {

std::int64_t sum_of(const free_table& table, const resources& r) {
  std::int64_t sum = 0;
  for (auto kind : table.kinds())
    sum += r[kind];
  return sum;
}

} // namespace

held_table::band& held_table::at(std::int32_t priority) {
  const auto it = std::ranges::lower_bound(bands_, priority, {}, &band::priority);
  if (it != bands_.end() && it->priority == priority)
    return *it;
  // Clients may invent any number of priorities.
  std::erase_if(bands_, [](const band& b) {
    return b.sum == 0 &&
           std::ranges::all_of(b.held.cells().values(), [](auto x) { return x == 0; });
  });
  return *bands_.insert(std::ranges::lower_bound(bands_, priority, {}, &band::priority),
                        {priority, nothing_, 0});
}

void held_table::add(std::uint32_t index, std::int32_t priority, const resources& held) {
  auto& b = at(priority);
  b.held.give(index, held);
  b.sum += sum_of(b.held, held);
}

void held_table::remove(std::uint32_t index, std::int32_t priority, const resources& held) {
  auto& b = at(priority);
  b.held.take(index, held);
  b.sum -= sum_of(b.held, held);
}

void held_table::clear(std::uint32_t index) {
  for (auto& b : bands_) {
    b.sum -= sum_of(b.held, b.held.at(index));
    b.held.set(index, {});
  }
}

bool held_table::any_below(std::int32_t priority) const {
  for (const auto& b : bands_) {
    if (b.priority >= priority)
      return false;
    if (b.sum > 0)
      return true;
  }
  return false;
}

void held_table::priorities_below(std::int32_t priority, std::set<std::int32_t>& out) const {
  for (const auto& b : bands_)
    if (b.priority < priority && b.sum > 0)
      out.insert(b.priority);
}

resources held_table::below(std::uint32_t index, std::int32_t priority) const {
  resources sum;
  for (const auto& b : bands_) {
    if (b.priority >= priority)
      break;
    sum += b.held.at(index);
  }
  return sum;
}

std::vector<held_band> held_table::bands() const {
  std::vector<held_band> all;
  for (const auto& b : bands_)
    if (b.sum > 0)
      all.push_back({b.priority, b.held.cells().values()});
  return all;
}

void held_table::assign(const std::vector<held_band>& bands) {
  bands_.clear();
  for (const auto& told : bands) {
    auto& b = at(told.priority);
    b.held.assign(told.cells);
    b.sum = std::accumulate(told.cells.begin(), told.cells.end(), std::int64_t{0});
  }
}

} // namespace troupe
