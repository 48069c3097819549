#pragma once

#include "model/metrics/running_books.hpp"
#include "runtime/cluster/simulated_cluster.hpp"

namespace troupe {

/// Compares the tasks that live schedulers believe to run with the tasks that machines run, one by
/// one, at one instant of virtual time.
running_books compare_running(const simulated_cluster& on, const run_settings& settings);

} // namespace troupe
