#pragma once

#include "model/discipline/start_queue.hpp"
#include "support/reference_windows.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace troupe::testing {

/// The windows of processors, each of which is a machine, in parts one after the other. The first
/// part must have no windows, and no two others the same ones.
inline machine_windows windows_of_parts(const std::vector<reference::part>& parts,
                                        duration unit = std::chrono::seconds{1}) {
  std::vector<machine_window> windows;
  machine_id first = 0;
  for (const auto& p : parts) {
    const auto end = first + static_cast<machine_id>(p.processors);
    for (const auto& w : p.windows) {
      auto& made = windows.emplace_back(machine_window{w.from * unit, w.to * unit, {}, {}});
      if (w.tenant >= 0)
        made.tenant = static_cast<std::uint32_t>(w.tenant);
      for (auto m = first; m < end; ++m)
        made.machines.push_back(m);
    }
    first = end;
  }
  return {windows, first, nullptr};
}

/// Runs rigid jobs on processors by a start queue. Returns the start of each, in s.
inline std::vector<std::int64_t> run_on_parts(const std::vector<reference::rigid_job>& jobs,
                                              const std::vector<reference::part>& parts,
                                              start_discipline how,
                                              start_order order = start_order::fcfs) {
  using std::chrono::seconds;
  constexpr resource kinds[] = {resource::slots};
  const auto slots = [](std::int64_t n) {
    resources r;
    r[resource::slots] = static_cast<std::int32_t>(n);
    return r;
  };
  const auto windows = windows_of_parts(parts);
  const auto n = static_cast<std::uint32_t>(parts.size());
  start_queue queue{how, {.order = order}, kinds, n == 1 ? nullptr : &windows};
  for (std::uint32_t p = 0; p < n; ++p)
    queue.set_capacity(resource_sum{} + slots(parts[p].processors), {}, instant{0}, p);
  std::vector<std::int64_t> starts(jobs.size(), -1);
  std::multimap<std::int64_t, std::size_t> ends;
  std::size_t next = 0;
  auto late = std::numeric_limits<std::int64_t>::max();
  while (next < jobs.size() || !ends.empty() || !queue.empty()) {
    auto at = late;
    if (next < jobs.size())
      at = std::min(at, jobs[next].submitted);
    if (!ends.empty())
      at = std::min(at, ends.begin()->first);
    if (at == std::numeric_limits<std::int64_t>::max())
      break; // the rest never starts
    const instant now = seconds{at};
    for (; !ends.empty() && ends.begin()->first == at; ends.erase(ends.begin()))
      for (std::uint32_t p = 0; p < n; ++p)
        queue.end_run({ends.begin()->second, p}, now);
    for (; next < jobs.size() && jobs[next].submitted == at; ++next) {
      start_request what;
      what.first = {next, 0};
      what.need += slots(jobs[next].processors);
      what.estimate = seconds{jobs[next].estimate};
      what.submitted = now;
      what.tasks = static_cast<std::uint32_t>(jobs[next].processors);
      what.tenant = static_cast<std::uint32_t>(jobs[next].tenant);
      queue.add(what, now);
    }
    while (const auto what = queue.next(now)) {
      const auto j = what->first.job;
      const auto end = queue.end_of_last(now);
      for (std::uint32_t p = 0; p < n; ++p) {
        std::int64_t taken = n == 1 ? jobs[j].processors : 0;
        for (; n > 1 && queue.may_use_pool(p); ++taken)
          queue.use_pool(p, 1);
        if (taken > 0)
          queue.begin_run({j, p}, slots(taken), end, now, p);
      }
      queue.started(now);
      starts[j] = at;
      ends.emplace(at + jobs[j].runtime, j);
    }
    const auto due = queue.next_due(now);
    late = due ? std::chrono::duration_cast<seconds>(*due).count()
               : std::numeric_limits<std::int64_t>::max();
  }
  return starts;
}

/// The same on processors without windows.
inline std::vector<std::int64_t> run_on_pool(const std::vector<reference::rigid_job>& jobs,
                                             std::int32_t processors, start_discipline how,
                                             start_order order = start_order::fcfs) {
  return run_on_parts(jobs, {{processors, {}}}, how, order);
}

} // namespace troupe::testing
