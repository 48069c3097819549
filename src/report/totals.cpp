#include "report/totals.hpp"

#include <algorithm>
#include <map>

namespace troupe {

namespace {

double ratio(double a, double b) {
  return b > 0 ? a / b : 0;
}

void add_resources(totals& to, const resource_uses& uses) {
  for (std::size_t k = 0; k < resource_kinds; ++k) {
    to.resources[k].merge(uses[k]);
    to.resource_utilization_max[k] =
      std::max(to.resource_utilization_max[k], uses[k].utilization());
    to.fragmentation_max[k] = std::max(to.fragmentation_max[k], uses[k].fragmentation());
  }
}

} // namespace

std::optional<double> totals::conflict_fraction() const {
  if (sample.tasks.placed == 0)
    return {};
  return static_cast<double>(sample.conflicts) / static_cast<double>(sample.tasks.placed);
}

totals totals_between(const run_results& results, instant from, instant to,
                      std::optional<std::uint32_t> group) {
  totals total;
  double used_seconds = 0;
  double scheduler_seconds = 0;
  std::map<std::uint32_t, task_counts> last;
  const interval_record* previous = nullptr;
  for (const auto& record : results.series) {
    const auto middle = record.from + (record.to - record.from) / 2;
    if (middle < from || middle >= to || (group && record.group != *group))
      continue;
    const auto length = in_seconds(record.to - record.from);
    total.sample.merge(record.sample);
    total.offers.merge(record.offers);
    last[record.group] = record.sample.tasks;
    const bool next =
      previous == nullptr || previous->from != record.from || previous->to != record.to;
    // A pool is the same for all groups of one interval.
    if (record.group < results.groups.size() && (results.pool == 0 || next))
      scheduler_seconds += length * results.groups[record.group].schedulers;
    // The groups of one interval all carry the cluster's utilization.
    if (next) {
      used_seconds += length * record.utilization;
      total.seconds += length;
      total.utilization_max = std::max(total.utilization_max, record.utilization);
      add_resources(total, record.resources);
    }
    previous = &record;
  }
  auto& tasks = total.sample.tasks;
  tasks.queued = tasks.in_commit = tasks.running = 0;
  for (const auto& [_, counts] : last) {
    tasks.queued += counts.queued;
    tasks.in_commit += counts.in_commit;
    tasks.running += counts.running;
  }
  total.utilization = ratio(used_seconds, total.seconds);
  total.busyness = ratio(in_seconds(total.sample.busy), scheduler_seconds);
  return total;
}

totals totals_of(const run_results& results, std::optional<std::uint32_t> group) {
  return totals_between(results, instant::min(), instant::max(), group);
}

} // namespace troupe
