#pragma once

#include "actors/churn.hpp"
#include "model/catalog.hpp"
#include "settings/settings.hpp"
#include "workload/machine_table.hpp"

#include <vector>

namespace troupe {

/// Machines from a trace, and how they come and go.
struct traced_cluster {
  catalog machines;
  std::vector<timed_capacity> changes; ///< in the order of time, from 0 on
};

/// Makes the machines of a trace; their scores are drawn as those of other clusters are. A machine
/// has the greatest capacity that it ever has by the catalog; what it has less at the beginning is
/// a change at 0. Throws `std::invalid_argument` as `build_catalog` does.
traced_cluster build_traced_cluster(const machine_table& table, const cluster_settings& settings,
                                    std::uint64_t seed,
                                    const std::vector<task_class_settings>& task_classes);

/// Where the machines come from a trace: reads it, puts their number into the settings and checks
/// what depends on it. Throws `std::runtime_error` with a message for the user if the trace or the
/// settings cannot be used.
void resolve_machines(run_settings& settings);

} // namespace troupe
