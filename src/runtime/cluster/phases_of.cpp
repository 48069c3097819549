#include "runtime/cluster/phases_of.hpp"

#include <algorithm>

namespace troupe {

std::vector<phase_info> phases_of(const run_settings& settings, instant end) {
  const std::vector<phase_settings>* longest = nullptr;
  for (const auto& g : settings.groups)
    if (g.workload.kind == workload_kind::phases &&
        (!longest || g.workload.phases.size() > longest->size()))
      longest = &g.workload.phases;
  std::vector<phase_info> phases;
  instant from{0};
  if (longest)
    for (const auto& p : *longest) {
      if (from >= end)
        break;
      phases.push_back({from, std::min<instant>(from + p.length, end)});
      from += p.length;
    }
  return phases;
}

std::vector<instant> phase_ends_within_intervals(const run_settings& settings) {
  std::vector<instant> ends;
  for (const auto& phase : phases_of(settings, instant::max()))
    if (phase.to.count() % settings.interval.count() != 0)
      ends.push_back(phase.to);
  return ends;
}

} // namespace troupe
