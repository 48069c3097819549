#pragma once

#include "jobs/service/jobs/tenant_limit.hpp"
#include "jobs/spec/job_spec.hpp"
#include "jobs/store/rows.hpp"
#include "model/cluster/machine_description.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// What the API tells of jobs: docs/openapi.json. Values of variables are in no answer.
namespace troupe {

/// `reason`: of its state.
nlohmann::ordered_json job_json(const job_row& job, const std::string& reason);

/// What bounds the tasks of a job.
struct room_for_tasks {
  const std::vector<machine_description>* machines; ///< the present ones; null: unknown
  const tenant_limit* limit;                        ///< null: its tenant has no maximum
};

/// With the command and the counts of each group. `waits_for`: the jobs that have to succeed first
/// and have not. The JSON of a group says if no machine could hold its tasks, or all together not
/// the tasks of a gang, and if its tenant's maximum holds back tasks.
nlohmann::ordered_json whole_job_json(const job_row& job, const std::string& reason,
                                      const std::vector<group_row>& groups,
                                      const std::vector<std::uint64_t>& waits_for,
                                      const room_for_tasks& room);

nlohmann::ordered_json task_json(const task_row& task, const std::string& group);

nlohmann::ordered_json attempt_json(const attempt_row& attempt);

} // namespace troupe
