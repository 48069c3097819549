#include "model/cluster/growing_machines.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

void growing_machines::set(const std::vector<described_machine>& known) {
  const std::lock_guard lock{mutex_};
  for (const auto& d : known) {
    if (d.number >= places_.size())
      continue;
    auto& at = places_[d.number];
    at.vacant = d.vacant;
    const auto capacity = d.vacant ? resources{} : d.is.capacity;
    if (std::exchange(at.capacity, capacity) != capacity)
      ++capacity_version_;
    if (at.known && at.has == d.is.attributes)
      continue;
    at.known = true;
    at.has = d.is.attributes;
    changes_.push_back(d.number);
  }
  version_ = changes_.size();
}

std::vector<machine_id> growing_machines::changed_since(std::uint64_t version) const {
  const std::lock_guard lock{mutex_};
  const auto from = std::min<std::size_t>(version, changes_.size());
  return {changes_.begin() + static_cast<std::ptrdiff_t>(from), changes_.end()};
}

bool growing_machines::meets(machine_id place, const std::vector<constraint>& all) const {
  if (all.empty())
    return true;
  const std::lock_guard lock{mutex_};
  const auto& at = places_[place];
  return at.known &&
         std::ranges::all_of(all, [&](const constraint& c) { return troupe::meets(at.has, c); });
}

bool growing_machines::vacant(machine_id place) const {
  const std::lock_guard lock{mutex_};
  return places_[place].vacant;
}

growing_machines::attributes growing_machines::attributes_of(machine_id place) const {
  const std::lock_guard lock{mutex_};
  return places_[place].has;
}

std::vector<resources> growing_machines::capacities() const {
  const std::lock_guard lock{mutex_};
  std::vector<resources> all;
  for (const auto& at : places_)
    all.push_back(at.capacity);
  return all;
}

resources growing_machines::capacity_of(machine_id place) const {
  const std::lock_guard lock{mutex_};
  return places_.at(place).capacity;
}

std::uint32_t growing_machines::taken() const {
  const std::lock_guard lock{mutex_};
  return static_cast<std::uint32_t>(
    std::ranges::count_if(places_, [](const place_state& p) { return !p.vacant; }));
}

} // namespace troupe
