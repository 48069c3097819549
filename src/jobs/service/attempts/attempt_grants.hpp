#pragma once

#include "jobs/service/service_time.hpp"
#include "jobs/service/work_tables.hpp"

#include <cstdint>
#include <string>

namespace troupe {

/// Grants attempts to nodes that were told to start tasks.
class attempt_grants {
public:
  explicit attempt_grants(work_tables& tables) : tables_(tables) {}

  /// Answers the wish of a node to start a task of the scheduler. A queued task gets a new attempt;
  /// a node that repeats its wish gets the same attempt again.
  start_permit permit(const work_report& report, task_id as, service_time now);

private:
  start_permit grant(const work_report& report, task_id as, live_job& j, live_group& g,
                     std::uint32_t in_group, service_time now);

  work_tables& tables_;
};

} // namespace troupe
