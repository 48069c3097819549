#include "runtime/cluster/growth_plan.hpp"

#include <algorithm>

namespace troupe {

const growth_plan::stay* growth_plan::find(machine_id place, instant when) const {
  const auto& stays = at.at(place);
  const auto it =
    std::ranges::find_if(stays, [&](const stay& s) { return s.from <= when && when < s.to; });
  return it == stays.end() ? nullptr : &*it;
}

std::vector<capacity_schedule> growth_plan::capacities() const {
  std::vector<capacity_schedule> all(at.size());
  for (machine_id m = 0; m < at.size(); ++m) {
    all[m].add(instant{0}, {});
    for (const auto& s : at[m]) {
      all[m].add(s.from, s.is.capacity);
      if (s.to != instant::max())
        all[m].add(s.to, {});
    }
  }
  return all;
}

std::vector<fault> growth_plan::joins_and_leaves() const {
  std::vector<fault> all;
  for (machine_id m = 0; m < at.size(); ++m) {
    auto gone = instant{0};
    for (const auto& s : at[m]) {
      all.push_back({fault_kind::kill, gone, s.from, role::machine, m});
      gone = s.to;
      if (s.drained > duration{0} && s.to != instant::max())
        all.push_back({fault_kind::drain, std::max<instant>(s.to - s.drained, s.from),
                       instant::max(), role::machine, m});
    }
    all.push_back({fault_kind::kill, gone, instant::max(), role::machine, m});
  }
  std::erase_if(all, [](const fault& f) { return f.from == instant::max() || f.to == f.from; });
  return all;
}

} // namespace troupe
