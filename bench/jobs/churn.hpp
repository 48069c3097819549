#pragma once

#include "jobs/storm.hpp"

#include <cstdint>

namespace troupe::trials {

/// Machines that join and leave for good, and some that are killed and come back, under the load of
/// the jobs of a storm.
struct churn_plan {
  std::uint32_t changes = 1'000; ///< machines that join or leave
  std::uint32_t most = 5;        ///< machines at a time; the places of those that left are free
                                 ///< after half a minute only, so the cluster needs more
  storm_plan jobs;               ///< submitted again when all of them are over
};

struct churn_figures {
  std::uint32_t joined = 0;
  std::uint32_t left = 0;
  std::uint32_t killed = 0; ///< of those, machines that came back with what they had kept
  storm_figures jobs;
};

/// Runs until there were that many changes, and all jobs are over. Throws `std::runtime_error` if
/// an expected state does not come.
churn_figures try_churn(const jobs_plan& cluster, const churn_plan& plan);

/// Returns whether nothing was lost, and nothing ran twice at a time.
bool is_good(const churn_figures& f);

} // namespace troupe::trials
