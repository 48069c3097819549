#pragma once

#include "model/discipline/start_queue.hpp"
#include "support/reference_disciplines.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace troupe::testing {

/// Runs rigid jobs on one pool of processors by a start queue. Returns the start of each, in s.
inline std::vector<std::int64_t> run_on_pool(const std::vector<reference::rigid_job>& jobs,
                                             std::int32_t processors, start_discipline how,
                                             start_order order = start_order::fcfs) {
  using std::chrono::seconds;
  constexpr resource kinds[] = {resource::slots};
  const auto slots = [](std::int64_t n) {
    resources r;
    r[resource::slots] = static_cast<std::int32_t>(n);
    return r;
  };
  start_queue queue{how, {.order = order}, kinds};
  queue.set_capacity(resource_sum{} + slots(processors), {}, instant{0});
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
      queue.end_run({ends.begin()->second, 0}, now);
    for (; next < jobs.size() && jobs[next].submitted == at; ++next) {
      start_request what;
      what.first = {next, 0};
      what.need += slots(jobs[next].processors);
      what.estimate = seconds{jobs[next].estimate};
      what.submitted = now;
      what.tasks = static_cast<std::uint32_t>(jobs[next].processors);
      queue.add(what, now);
    }
    while (const auto what = queue.next(now)) {
      const auto j = what->first.job;
      queue.begin_run(what->first, slots(jobs[j].processors), queue.end_of_last(now), now);
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

} // namespace troupe::testing
