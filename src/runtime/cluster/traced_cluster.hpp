#pragma once

#include "actors/machine/churn.hpp"
#include "model/cluster/catalog.hpp"
#include "model/machine/capacity_schedule.hpp"
#include "settings/schema/settings.hpp"
#include "workload/formats/machine_table.hpp"

#include <memory>
#include <vector>

namespace troupe {

/// Machines from a trace, and how they come and go.
struct traced_cluster {
  catalog machines;
  std::vector<timed_capacity> changes; ///< in the order of time, from 0 on
};

/// Makes the machines of a trace; their scores are drawn as those of other clusters are. A machine
/// has its greatest capacity in the catalog; a smaller capacity at the beginning is a change at 0.
/// Throws `std::invalid_argument` as `build_catalog` does.
traced_cluster build_traced_cluster(const machine_table& table, const cluster_settings& settings,
                                    std::uint64_t seed,
                                    const std::vector<task_class_settings>& task_classes);

/// Makes the machines of a run, from a trace or as the settings describe them. Those that are
/// `described` are as they say; there must be none with a trace. If machines run commands, they are
/// the places of a cluster that grows. The times of windows count from `begin`, the beginning of
/// the run, or from 0. Throws `std::runtime_error` or `std::invalid_argument` if the trace, the
/// windows or the settings cannot be used.
traced_cluster build_machines(const run_settings& settings,
                              const std::vector<described_machine>& described = {},
                              std::shared_ptr<const run_begin> begin = nullptr);

/// Returns the capacity of each machine over time, by number; nothing if none ever changes.
std::vector<capacity_schedule> schedules_of(const traced_cluster& cluster);

/// If the machines come from a trace: reads it, puts their number into the settings and checks the
/// settings that depend on it. Reads their windows, if there are any, to check them. Throws
/// `std::runtime_error` with a message for the user if the trace or the settings cannot be used.
void resolve_machines(run_settings& settings);

} // namespace troupe
