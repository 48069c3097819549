#pragma once

#include "jobs/service/work_tables.hpp"

#include <string>

namespace troupe {

/// Cancels tasks that wait or are queued. Tasks that run are left alone.
class group_canceller {
public:
  explicit group_canceller(work_tables& tables) : tables_(tables) {}

  /// Cancels tasks in all groups of a job. The reason becomes that of the job, unless it has one.
  void cancel(live_job& j, const std::string& reason);

  /// A task of a group has not succeeded: cancels the groups that wait for this one, directly or
  /// not.
  void break_group(live_job& j, live_group& g);

private:
  void cancel_group(live_job& j, live_group& g, const std::string& reason);

  work_tables& tables_;
};

} // namespace troupe
