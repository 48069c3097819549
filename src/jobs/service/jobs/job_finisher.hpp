#pragma once

#include "jobs/service/jobs/group_canceller.hpp"
#include "jobs/service/jobs/group_releaser.hpp"
#include "jobs/service/service_time.hpp"
#include "jobs/service/work_tables.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// The reason of a job that a user has cancelled.
inline constexpr const char* cancelled_by_user = "cancelled by a user";

/// Ends tasks, and jobs all of whose tasks are over, with the consequences: groups and jobs that
/// wait for them are released, or cancelled.
class job_finisher {
public:
  job_finisher(work_tables& tables, group_releaser& releaser, group_canceller& canceller)
    : tables_(tables), releaser_(releaser), canceller_(canceller) {}

  /// Ends a task. `state`: one in which it is over.
  void end_task(live_job& j, live_group& g, std::uint32_t in_group, task_state state,
                const std::string& reason, service_time now);

  /// Ends the job if all its tasks are over and it has not ended yet.
  void end_if_over(live_job& j, service_time now);

  /// Cancels what waits in a job since a job before it did not succeed.
  void cancel_after(live_job& j, std::uint64_t failed);

  /// Returns the jobs that have ended since the last call.
  std::vector<std::uint64_t> take_ended();

private:
  bool end_job(live_job& j, service_time now);
  void tell_dependents(const live_job& of, std::vector<const live_job*>& ended, service_time now);

  std::vector<std::uint64_t> ended_;
  work_tables& tables_;
  group_releaser& releaser_;
  group_canceller& canceller_;
};

} // namespace troupe
