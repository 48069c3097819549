#pragma once

#include "jobs/service/placing/task_placer.hpp"
#include "jobs/service/work_tables.hpp"

namespace troupe {

/// Queues the waiting tasks of groups as soon as all groups and jobs before them have succeeded.
class group_releaser {
public:
  group_releaser(work_tables& tables, task_placer& placer) : tables_(tables), placer_(placer) {}

  /// Releases the groups of a job that wait for nothing any more.
  void release_groups(live_job& j);

private:
  void release(live_job& j, live_group& g);

  work_tables& tables_;
  task_placer& placer_;
};

} // namespace troupe
