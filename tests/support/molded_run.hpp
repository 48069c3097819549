#pragma once

#include "model/discipline/start_queue.hpp"
#include "support/pool_run.hpp"
#include "support/reference_moldable.hpp"
#include "support/reference_windows.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace troupe::testing {

inline resources slots_of(std::int64_t n) {
  resources r;
  r[resource::slots] = static_cast<std::int32_t>(n);
  return r;
}

inline start_request shaped_request(const reference::moldable_job& j, std::size_t number) {
  start_request what;
  what.first = {number, 0};
  what.submitted = std::chrono::seconds{j.submitted};
  for (const auto& w : j.widths)
    what.shapes.push_back({static_cast<std::uint32_t>(w.processors),
                           resource_sum{} + slots_of(w.processors),
                           std::chrono::seconds{w.estimate}});
  what.tenant = static_cast<std::uint32_t>(j.tenant);
  what.requested = static_cast<std::uint32_t>(j.requested);
  mold(what, j.requested);
  if (j.widths.size() == 1)
    what.shapes.clear();
  return what;
}

/// Runs moldable jobs on parts of processors by a start queue.
inline std::vector<reference::molded_start>
run_molded_on_parts(const std::vector<reference::moldable_job>& jobs,
                    const std::vector<reference::part>& parts, start_discipline how,
                    width_rule by) {
  using std::chrono::seconds;
  constexpr resource kinds[] = {resource::slots};
  const auto windows = windows_of_parts(parts);
  const auto n = static_cast<std::uint32_t>(parts.size());
  start_queue queue{how, {}, kinds, n == 1 ? nullptr : &windows};
  queue.choose_widths(by);
  for (std::uint32_t p = 0; p < n; ++p)
    queue.set_capacity(resource_sum{} + slots_of(parts[p].processors), {}, instant{0}, p);
  std::vector<reference::molded_start> starts(jobs.size());
  std::multimap<std::int64_t, std::size_t> ends;
  std::size_t next = 0;
  constexpr auto never = std::numeric_limits<std::int64_t>::max();
  auto due_at = never;
  while (next < jobs.size() || !ends.empty() || !queue.empty()) {
    auto at = due_at;
    if (next < jobs.size())
      at = std::min(at, jobs[next].submitted);
    if (!ends.empty())
      at = std::min(at, ends.begin()->first);
    if (at == never)
      break;
    const instant now = seconds{at};
    for (; !ends.empty() && ends.begin()->first == at; ends.erase(ends.begin()))
      for (std::uint32_t p = 0; p < n; ++p)
        queue.end_run({ends.begin()->second, p}, now);
    for (; next < jobs.size() && jobs[next].submitted == at; ++next)
      queue.add(shaped_request(jobs[next], next), now);
    while (const auto what = queue.next(now)) {
      const auto j = what->first.job;
      const auto end = queue.end_of_last(now);
      for (std::uint32_t p = 0; p < n; ++p) {
        std::int64_t taken = n == 1 ? what->tasks : 0;
        for (; n > 1 && queue.may_use_pool(p); ++taken)
          queue.use_pool(p, 1);
        if (taken > 0)
          queue.begin_run({j, p}, slots_of(taken), end, now, p);
        starts[j].processors += taken;
      }
      queue.started(now);
      starts[j].at = at;
      for (const auto& w : jobs[j].widths)
        if (w.processors == what->tasks)
          ends.emplace(at + w.runtime, j);
    }
    const auto due = queue.next_due(now);
    due_at = due ? std::chrono::duration_cast<seconds>(*due).count() : never;
  }
  return starts;
}

/// The same on processors without windows.
inline std::vector<reference::molded_start>
run_molded(const std::vector<reference::moldable_job>& jobs, std::int64_t processors,
           start_discipline how, width_rule by) {
  return run_molded_on_parts(jobs, {{processors, {}}}, how, by);
}

inline constexpr std::pair<start_discipline, reference::queueing> queueings[] = {
  {start_discipline::fcfs, reference::queueing::fcfs},
  {start_discipline::easy, reference::queueing::easy},
  {start_discipline::conservative, reference::queueing::conservative}};

inline constexpr std::pair<width_rule, reference::molding> moldings[] = {
  {width_rule::available, reference::molding::available},
  {width_rule::earliest_finish, reference::molding::earliest_finish}};

} // namespace troupe::testing
