#pragma once

#include "runtime/running.hpp"

namespace troupe::test {

/// Many short jobs on few machines.
inline constexpr auto busy_sparrow = R"(
architecture = "sparrow"
schedulers = 3
[cluster]
machines = 20
slots = 2
partitions = 4
owners = 2
[[cluster.classes]]
slots = 2
attributes = { disk = "ssd" }
[[cluster.classes]]
name = "other"
slots = 2
[network]
latency = "1ms"
jitter = "1ms"
[scheduler]
t_task = "100us"
[workload]
arrivals = "poisson"
jobs = 150
phases = [{ length = "60s", rate = 150 }]
[workload.duration]
kind = "exponential"
value = 0.2
[workload.tasks_per_job]
kind = "exponential"
value = 4
)";

/// Long jobs and short ones, for a pool of schedulers of both kinds.
inline constexpr auto mixture = R"(
architecture = "hybrid"
pool = 4
[cluster]
machines = 30
slots = 1
partitions = 6
owners = 2
[hybrid]
cutoff = "2s"
reserved = 0.2
[workload]
arrivals = "poisson"
duration_per_job = true
jobs = 120
[workload.tasks_per_job]
value = 4
[[groups]]
name = "short"
schedulers = 1
workload.duration = { kind = "exponential", value = 0.2, max = 1.9 }
workload.phases = [{ length = "60s", rate = 40 }]
[[groups]]
name = "long"
schedulers = 1
workload.duration = { kind = "exponential", value = 5, min = 2 }
workload.phases = [{ length = "60s", rate = 3 }]
workload.jobs = 15
)";

inline std::uint64_t finished(const run_results& results) {
  return summary_of(results)["tasks"]["finished"];
}

inline std::uint64_t submitted(const run_results& results) {
  return summary_of(results)["tasks"]["submitted"];
}

} // namespace troupe::test
