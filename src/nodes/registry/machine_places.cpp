#include "nodes/registry/machine_places.hpp"

#include <algorithm>
#include <tuple>

namespace troupe {

namespace {

/// What a machine counts in the load of its partition: its cores, or 1 if it has none.
std::int64_t weight_of(const machine_description& machine) {
  return std::max<std::int64_t>(machine.capacity[resource::cpu], 1);
}

} // namespace

machine_places::machine_places(std::vector<std::uint32_t> partition_of, clock::duration rest)
  : partition_of_(std::move(partition_of)), rest_(rest), places_(partition_of_.size()) {
  for (const auto p : partition_of_)
    partitions_ = std::max(partitions_, p + 1);
}

std::int64_t machine_places::load_of(std::uint32_t partition) const {
  std::int64_t load = 0;
  for (machine_id m = 0; m < size(); ++m)
    if (partition_of_[m] == partition && places_[m].taken)
      load += weight_of(places_[m].is);
  return load;
}

/// A used place with the same attributes comes first, then one that was never used.
std::optional<machine_id> machine_places::best_in(std::uint32_t partition,
                                                  const machine_description& machine,
                                                  clock::time_point now) const {
  std::optional<machine_id> best;
  const auto rank = [&](const place_state& p) {
    return !p.known ? 1 : p.is.attributes == machine.attributes ? 0 : 2;
  };
  for (machine_id m = 0; m < size(); ++m)
    if (partition_of_[m] == partition && is_free(places_[m], now) &&
        (!best || rank(places_[m]) < rank(places_[*best])))
      best = m;
  return best;
}

void machine_places::put(machine_id where, const machine_description& machine) {
  auto& p = places_[where];
  p.known = p.taken = true;
  p.awaited = false;
  p.is = machine;
  ++taken_;
}

std::optional<machine_id> machine_places::take(const machine_description& machine,
                                               std::optional<machine_id> had,
                                               clock::time_point now) {
  if (had && *had < size() && !places_[*had].taken &&
      (!places_[*had].known || places_[*had].is.attributes == machine.attributes)) {
    put(*had, machine);
    return had;
  }
  std::vector<std::pair<std::int64_t, std::uint32_t>> by_load;
  for (std::uint32_t p = 0; p < partitions_; ++p)
    by_load.emplace_back(load_of(p), p);
  std::ranges::sort(by_load);
  for (const auto& [load, partition] : by_load)
    if (const auto m = best_in(partition, machine, now)) {
      put(*m, machine);
      return m;
    }
  return std::nullopt;
}

bool machine_places::keep(machine_id where, const machine_description& machine) {
  if (where >= size() || !places_[where].taken ||
      places_[where].is.attributes != machine.attributes)
    return false;
  places_[where].is = machine;
  return true;
}

void machine_places::leave(machine_id where, clock::time_point now) {
  if (where >= size() || !places_[where].taken)
    return;
  places_[where].taken = false;
  places_[where].free_since = now;
  --taken_;
}

void machine_places::believe(const std::vector<described_machine>& table, clock::time_point now) {
  for (const auto& d : table) {
    if (d.number >= size() || places_[d.number].known)
      continue;
    auto& p = places_[d.number];
    p.known = true;
    p.awaited = !d.vacant;
    p.free_since = now;
    p.is = d.is;
  }
}

bool machine_places::settle(clock::time_point now) {
  bool any = false;
  for (auto& p : places_)
    if (p.awaited && has_rested(p, now)) {
      p.awaited = false;
      any = true;
    }
  return any;
}

std::optional<machine_id> machine_places::to_move(const std::function<bool(machine_id)>& may_move,
                                                  clock::time_point now) const {
  std::vector<std::int64_t> loads;
  for (std::uint32_t p = 0; p < partitions_; ++p)
    loads.push_back(load_of(p));
  const auto has_room = [&](std::uint32_t partition) {
    for (machine_id m = 0; m < size(); ++m)
      if (partition_of_[m] == partition && is_free(places_[m], now))
        return true;
    return false;
  };
  std::optional<std::uint32_t> least;
  for (std::uint32_t p = 0; p < partitions_; ++p)
    if ((!least || loads[p] < loads[*least]) && has_room(p))
      least = p;
  if (!least)
    return std::nullopt;
  std::optional<machine_id> best;
  std::int64_t best_gap = 0;
  for (machine_id m = 0; m < size(); ++m) {
    if (!places_[m].taken || !may_move(m))
      continue;
    const auto before = loads[partition_of_[m]] - loads[*least];
    const auto after = std::abs(before - 2 * weight_of(places_[m].is));
    if (after < before && (!best || before - after > best_gap)) {
      best = m;
      best_gap = before - after;
    }
  }
  return best;
}

std::vector<described_machine> machine_places::table() const {
  std::vector<described_machine> all;
  for (machine_id m = 0; m < size(); ++m)
    if (places_[m].known)
      all.push_back({m, places_[m].is, !places_[m].taken && !places_[m].awaited});
  return all;
}

} // namespace troupe
