#pragma once

#include "actors/sparrow/probing/machine_search.hpp"

#include <cstdint>

namespace troupe {

/// Closes tasks that are over, and with the last one its job. Groups that have waited for a task
/// are released by its end, and get machines.
class job_closer {
public:
  job_closer(sparrow_tables& tables, task_reservations& reservations, machine_search& search)
    : tables_(tables), reservations_(reservations), search_(search) {}

  /// A task that ran is over. Its job may be over then: see `finish_if_over`.
  void end(open_job& j, const task_id& task, task_fate fate, instant at, sparrow_outbox& out);

  /// Drops a job whose last task is over. Returns whether it was.
  bool finish_if_over(open_job& j);

  /// None of the tasks of a job has to be placed any more: abandons those that wait. To be called
  /// again if some wait again.
  void abandon(open_job& j, instant now, sparrow_outbox& out);

private:
  void close(open_job& j, const task_id& task, task_fate fate, instant at, sparrow_outbox& out);

  sparrow_tables& tables_;
  task_reservations& reservations_;
  machine_search& search_;
};

} // namespace troupe
