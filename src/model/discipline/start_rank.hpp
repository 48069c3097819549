#pragma once

#include "model/base/time.hpp"
#include "model/discipline/start_discipline.hpp"
#include "model/discipline/start_request.hpp"

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>

namespace troupe {

/// The weights of the factors that determine a request's place in a queue of the order multifactor,
/// as in Slurm's plugin priority/multifactor.
struct start_factors {
  double age = 1;      ///< of the time since the submission, as a share of `max_age`, at most 1
  double size = 0;     ///< of the share of the cluster that it asks for
  double share = 1;    ///< of 2^(-used/due) of its tenant
  double priority = 1; ///< of one step of priority
  duration max_age = std::chrono::hours{24 * 7};
};

/// What the ranks of requests depend on beside the requests.
struct start_ordering {
  start_order order = start_order::fcfs;
  start_factors factors{};
  duration aging{0};      ///< one step of priority is worth so much waiting; 0: strict
  resource_sum cluster{}; ///< what sizes are shares of
  /// A tenant's usage, as a multiple of its due share; null: there is a single tenant.
  std::function<double(std::uint32_t tenant)> use_of{};
};

/// The place of a request in the queue: lower ones are first.
struct start_rank {
  std::int64_t major = 0;
  std::int64_t minor = 0;
  instant submitted{0};
  task_id first;

  friend auto operator<=>(const start_rank&, const start_rank&) = default;
};

/// Returns the rank of a request as of now. Only ranks of the order multifactor change with time.
start_rank rank_of(const start_request& what, const start_ordering& by, instant now);

} // namespace troupe
