#pragma once

#include "actors/sparrow/sparrow_parts.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

/// The parts of a Sparrow scheduler without the core around them.
namespace troupe::testing {

/// A job of two groups: `first` tasks, and `second` ones that wait for them.
inline job staged_job(job_id id, std::uint32_t first, std::uint32_t second) {
  auto j = slot_job(id, first);
  j.groups.push_back(j.groups.front());
  j.groups[1].count = second;
  j.groups[1].after = {0};
  return j;
}

/// The parts of scheduler 3, on eight machines with one slot unless the test says otherwise.
struct sparrow_fixture {
  explicit sparrow_fixture(const sparrow_limits& limits = {},
                           catalog cluster = even_catalog(8, 1, 1))
    : machines(std::move(cluster)), parts(3, machines, limits, random_stream{1}, 0) {}

  /// Takes a job in, which is still to be decided on.
  open_job& submit(job j) {
    auto& open = parts.jobs.add(std::move(j), parts.probed.pools());
    parts.accounts.submit(open);
    return open;
  }

  /// The same, as one that was decided on and has no machines.
  open_job& decide(job j) {
    auto& open = submit(std::move(j));
    open.placed = true;
    return open;
  }

  /// Has the next task of a group run on a machine since `at`.
  task_id run(open_job& j, machine_id machine, instant at = instant{0}, std::uint32_t g = 0) {
    const auto order = parts.launcher.launch(j, g, j.take_task(g), machine);
    parts.runs.start({order.task, machine, at});
    return order.task;
  }

  task_counts counts() const { return parts.accounts.counters().total(); }

  scheduler_sample sample(instant now = instant{0}) {
    scheduler_sample sum;
    for (const auto& s : parts.accounts.take(parts.jobs, now, {}))
      sum.merge(s.sample);
    return sum;
  }

  catalog machines;
  sparrow_parts parts;
  sparrow_outbox out;
};

inline sparrow_limits sparrow_by(probing how) {
  sparrow_limits limits;
  limits.how = how;
  return limits;
}

} // namespace troupe::testing
