#include "model/view/preemption_view.hpp"

#include <set>

namespace troupe {

namespace {

/// The number of machines that are drawn at random before all are tried in turn.
constexpr int draws = 16;

} // namespace

preemption_view::preemption_view(const catalog& machines) : machines_(&machines) {
  parts_.reserve(machines.partitions());
  for (partition_id p = 0; p < machines.partitions(); ++p)
    parts_.emplace_back(machines, p);
}

void preemption_view::add(machine_id m, std::int32_t priority, const resources& held) {
  const auto place = machines_->place_of(m);
  parts_[place.partition].add(place.index, priority, held);
}

void preemption_view::remove(machine_id m, std::int32_t priority, const resources& held) {
  const auto place = machines_->place_of(m);
  parts_[place.partition].remove(place.index, priority, held);
}

void preemption_view::clear(machine_id m) {
  const auto place = machines_->place_of(m);
  parts_[place.partition].clear(place.index);
}

std::optional<machine_id> preemption_view::pick(const view& seen, std::int32_t priority,
                                                const resources& demand, random_stream& random,
                                                const machine_test& eligible) const {
  std::set<std::int32_t> lower;
  for (const auto& part : parts_)
    part.priorities_below(priority, lower);
  const auto n = machines_->machines();
  for (const auto highest : lower) {
    const auto bound = highest + 1;
    const auto has_room = [&](machine_id m) {
      const auto place = machines_->place_of(m);
      const auto room = seen.free(m) + parts_[place.partition].below(place.index, bound);
      return room.fits(demand) && !seen.hidden(place.partition) && (!eligible || eligible(m));
    };
    for (int i = 0; i < draws; ++i)
      if (const auto m = static_cast<machine_id>(random.below(n)); has_room(m))
        return m;
    const auto first = machines_->place_of(static_cast<machine_id>(random.below(n))).partition;
    for (partition_id k = 0; k < parts_.size(); ++k) {
      const auto p = static_cast<partition_id>((first + k) % parts_.size());
      if (seen.hidden(p) || !parts_[p].any_below(bound))
        continue;
      const auto members = machines_->members(p);
      const auto from = random.below(members.size());
      for (std::size_t i = 0; i < members.size(); ++i)
        if (const auto m = members[(from + i) % members.size()]; has_room(m))
          return m;
    }
  }
  return std::nullopt;
}

} // namespace troupe
