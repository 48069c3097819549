#pragma once

#include "model/metrics/parallel_jobs.hpp"
#include "model/metrics/run_sums.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace troupe {

/// The processors of a cluster, by what the jobs of a run ask for.
struct processor_total {
  double amount = 0; ///< in units of the resource, mean over the run
  double each = 1;   ///< so many units are one processor
};

/// Returns the processors; nothing if no job was seen, or if the cluster has none.
std::optional<processor_total> processors_of(const parallel_jobs& jobs, const totals& run);

/// Returns the metrics of parallel jobs (docs/json.md), null where they were not measured.
nlohmann::ordered_json parallel_json(const parallel_jobs& jobs, const totals& run);

} // namespace troupe
