#pragma once

#include "actors/sparrow/runs/job_closer.hpp"

namespace troupe {

/// Books the starts and ends of tasks that machines tell of. A task whose run was lost runs again,
/// as often as it may.
class task_runs {
public:
  task_runs(sparrow_tables& tables, task_reservations& reservations, machine_search& search,
            job_closer& closer)
    : tables_(tables), reservations_(reservations), search_(search), closer_(closer) {}

  void start(const task_start& what);
  void end(const task_end& what, sparrow_outbox& out);

  /// Whether a task whose run was lost may run again. Counts the loss.
  bool may_retry(const task_id& task) {
    auto* losses = tables_.affected.losses();
    return losses == nullptr || losses->may_retry(task);
  }

private:
  void count_unknown(machine_id from);

  sparrow_tables& tables_;
  task_reservations& reservations_;
  machine_search& search_;
  job_closer& closer_;
};

} // namespace troupe
