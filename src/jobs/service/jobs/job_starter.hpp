#pragma once

#include "jobs/service/jobs/group_releaser.hpp"
#include "jobs/service/jobs/job_finisher.hpp"
#include "jobs/service/service_time.hpp"
#include "jobs/service/work_tables.hpp"

#include <cstdint>
#include <map>

namespace troupe {

/// Begins jobs: new ones, those that an earlier process of the service has left, and those whose
/// tasks run again.
class job_starter {
public:
  /// The states of jobs that are not in the table, by number.
  using known_states = std::map<std::uint64_t, job_state>;

  job_starter(work_tables& tables, task_placer& placer, group_releaser& releaser,
              job_finisher& finisher)
    : tables_(tables), placer_(placer), releaser_(releaser), finisher_(finisher) {}

  /// Has a job in the table wait for the jobs in its spec, and releases what waits for nothing. If
  /// one of those jobs did not succeed, cancels the job. `before`: the states of those that are not
  /// in the table; one that is missing there, too, counts as succeeded.
  void begin(live_job& j, const known_states& before, service_time now);

  /// Continues a job that was adopted from the store: its queued tasks are placed again.
  void resume(live_job& j, service_time now);

  /// Has the tasks of a job that is over wait again that failed or were cancelled, and begins it.
  /// `before`: as in `begin`.
  void retry(live_job& j, const known_states& before, service_time now);

private:
  void wait_for_predecessors(live_job& j, const known_states& before, service_time now);
  void reset(live_job& j, live_group& g);

  work_tables& tables_;
  task_placer& placer_;
  group_releaser& releaser_;
  job_finisher& finisher_;
};

} // namespace troupe
