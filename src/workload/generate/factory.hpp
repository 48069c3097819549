#pragma once

#include "model/base/random.hpp"
#include "model/jobs/job_source.hpp"
#include "settings/schema/settings.hpp"
#include "workload/traces/trace_tenants.hpp"

#include <cstdint>
#include <memory>

namespace troupe {

/// Returns the stream of jobs that one group of schedulers shares.
///
/// `capacity` is the number of tasks per second that the group can decide on; a phase's load is a
/// share of it. Rates are in tasks per second of the whole group; jobs arrive at that rate divided
/// by the mean number of tasks per job. `schedulers` is the size of the group: a burst makes one
/// job for each. `tenants`: of the jobs of a trace. Throws `std::runtime_error` if a trace cannot
/// be opened, and `std::invalid_argument` if the settings contradict themselves.
std::unique_ptr<job_source> make_job_source(const workload_settings& settings, double capacity,
                                            std::uint32_t schedulers, random_stream random,
                                            const trace_tenants& tenants = {});

/// Returns the mean number of tasks per job of generated jobs; meaningless for a trace. Throws
/// `std::invalid_argument` if the settings contradict themselves.
double mean_tasks_per_job(const workload_settings& settings);

/// Checks before a run that its workload can be created: that the distributions are valid, and that
/// a trace exists, is readable, and is well-formed in the first 16 MiB of its text (the whole of a
/// smaller trace). If its schedulers probe machines (`probed`), these must contain no gangs and no
/// tasks that wait for others. Throws `std::runtime_error` with a message for the user otherwise.
void check_workload(const workload_settings& settings, bool probed = false);

} // namespace troupe
