#pragma once

#include "jobs/service/attempts/lease_book.hpp"
#include "jobs/service/jobs/job_waits.hpp"
#include "jobs/service/jobs/live_job_table.hpp"
#include "jobs/service/placing/hand_out_book.hpp"
#include "jobs/service/store_changes.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// The state that several steps of a work book change, as classes that each keep their own part of
/// it consistent.
struct work_tables {
  /// `next_job`, `next_scheduler_job`: the marks in the store. `tenants`: as for a `work_book`.
  work_tables(std::uint64_t next_job, job_id next_scheduler_job, std::vector<std::string> tenants)
    : jobs(next_job), handed(jobs, changes, next_scheduler_job, std::move(tenants)) {}

  work_tables(const work_tables&) = delete;
  work_tables& operator=(const work_tables&) = delete;

  live_job_table jobs;
  store_changes changes;
  job_waits waits;
  hand_out_book handed;
  lease_book leases;
};

} // namespace troupe
