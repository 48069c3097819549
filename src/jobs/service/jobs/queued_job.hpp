#pragma once

#include "jobs/service/jobs/live_job.hpp"
#include "jobs/service/jobs/tenant_limit.hpp"
#include "model/cluster/machine_description.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// What a queued job waits for, and what it asks for.
struct queued_job {
  struct group {
    std::string name; ///< empty: the job has one group
    resources demand;
    std::vector<constraint> constraints;
    std::uint32_t gang = 0; ///< tasks that have to start together; 0: each by itself
  };

  std::vector<std::uint64_t> waits_for; ///< jobs that have to succeed first
  std::vector<group> groups;            ///< that wait for no other group
};

queued_job queued_job_of(const live_job& job);

/// Returns why the machines cannot hold the tasks of a group of a job: "no machine has 3 cores",
/// "all machines together hold 4 of its 5 tasks". Empty: they can. `gang`: tasks that have to run
/// at the same time; 0: each by itself.
std::string why_not_held(const resources& demand, const std::vector<constraint>& constraints,
                         std::uint32_t gang, const std::vector<machine_description>& machines);

/// Returns why a job is queued: "waits for job 3", "no machine has 3 cores", "group g: no machine
/// meets zone == b", or that its tenant is at its maximum. Empty: it waits for its turn, or
/// `machines`, the present ones, are unknown (null). `limit`: null: its tenant has no maximum.
std::string why_queued(const queued_job& job, const std::vector<machine_description>* machines,
                       const tenant_limit* limit);

} // namespace troupe
