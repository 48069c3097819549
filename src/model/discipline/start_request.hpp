#pragma once

#include "model/base/ids.hpp"
#include "model/base/resource_sum.hpp"
#include "model/base/time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace troupe {

/// One of the widths that a moldable job may start at.
struct start_shape {
  std::uint32_t tasks = 1;
  resource_sum need;
  duration estimate{0};
};

/// What waits for its start as one: a task, or all tasks of a gang.
struct start_request {
  task_id first;        ///< the task, or the first one of the gang
  resource_sum need;    ///< of all its tasks
  duration estimate{0}; ///< of its run time; 0: unknown, and counts as endless
  instant submitted{0}; ///< its job
  std::int32_t priority = 0;
  std::uint32_t tenant = 0;
  std::uint32_t tasks = 1;
  std::uint32_t group = 0;   ///< of its job
  instant since{0};          ///< from when on it waits
  std::uint32_t waiting = 1; ///< tasks that it counts as while it waits
  /// The widths of a moldable job, narrower ones first, the requested one among them; empty if it
  /// has only one. A queue gives it one of them: `tasks`, `need` and `estimate` are that one's.
  std::vector<start_shape> shapes{};
  std::uint32_t requested = 0; ///< which shape was requested

  /// How long it is expected to run.
  duration length() const { return estimate > duration::zero() ? estimate : duration::max(); }
};

/// Gives a request one of its shapes.
inline void mold(start_request& what, std::size_t shape) {
  const auto& as = what.shapes[shape];
  what.tasks = as.tasks;
  what.need = as.need;
  what.estimate = as.estimate;
}

/// Returns the greatest need of this number of its tasks: they count as equal.
constexpr resource_sum amount_of(const start_request& what, std::uint32_t tasks) {
  resource_sum sum;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    sum.amount[k] = (what.need.amount[k] + what.tasks - 1) / what.tasks * tasks;
  return sum;
}

/// Returns how many of its tasks find room, as far as equal tasks do.
constexpr std::uint32_t tasks_in(const resource_sum& free, const start_request& what) {
  const auto one = amount_of(what, 1);
  std::int64_t n = what.tasks;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (one.amount[k] > 0)
      n = std::min(n, std::max<std::int64_t>(free.amount[k], 0) / one.amount[k]);
  return static_cast<std::uint32_t>(n);
}

} // namespace troupe
