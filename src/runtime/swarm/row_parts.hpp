#pragma once

#include "runtime/swarm/rows.hpp"

#include <vector>

/// The parts of `swarm_rows`, in their order.
namespace troupe {

/// Returns the rows of architectures, sizes, machines and the network.
std::vector<swarm_row> cluster_rows();
/// Returns the rows of the sync of views, of offers, of decisions and of probes.
std::vector<swarm_row> scheduling_rows();
/// Returns the rows of tenants and of jobs.
std::vector<swarm_row> workload_rows();
/// Returns the rows of the detection of failures and of failures.
std::vector<swarm_row> failure_rows();
std::vector<swarm_row> parallel_rows();
/// Returns the rows of jobs whose schedulers choose their widths.
std::vector<swarm_row> moldable_rows();

} // namespace troupe
