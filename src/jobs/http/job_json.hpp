#pragma once

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

/// With the command and the counts of each group. `waits_for`: the jobs that have to succeed first
/// and have not. `machines` are the present machines; null: unknown. The JSON of a group says if
/// none of them could hold its tasks, or all together not the tasks of a gang.
nlohmann::ordered_json whole_job_json(const job_row& job, const std::string& reason,
                                      const std::vector<group_row>& groups,
                                      const std::vector<std::uint64_t>& waits_for,
                                      const std::vector<machine_description>* machines);

nlohmann::ordered_json task_json(const task_row& task, const std::string& group);

nlohmann::ordered_json attempt_json(const attempt_row& attempt);

} // namespace troupe
