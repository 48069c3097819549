// Requests and amounts for tests of queues: slots and memory.
#pragma once

#include "model/discipline/start_request.hpp"

namespace troupe::test {

inline constexpr resource kinds[] = {resource::slots, resource::memory};

inline resources of_slots(std::int32_t n, std::int32_t memory = 0) {
  resources r;
  r[resource::slots] = n;
  r[resource::memory] = memory;
  return r;
}

inline resource_sum sum_of_slots(std::int32_t n) {
  return resource_sum{} + of_slots(n);
}

/// A request of `n` tasks of a slot each.
inline start_request request(job_id job, std::int32_t n, duration estimate, instant at = {}) {
  start_request what;
  what.first = {job, 0};
  what.need += of_slots(n);
  what.estimate = estimate;
  what.submitted = at;
  what.tasks = static_cast<std::uint32_t>(n);
  return what;
}

} // namespace troupe::test
