#pragma once

#include "jobs/service/jobs/job_finisher.hpp"
#include "jobs/service/placing/task_placer.hpp"
#include "jobs/service/service_time.hpp"
#include "jobs/service/work_tables.hpp"

namespace troupe {

/// Books the ends of open attempts: the task of each is over, or queued for another attempt.
class attempt_ends {
public:
  attempt_ends(work_tables& tables, task_placer& placer, job_finisher& finisher)
    : tables_(tables), placer_(placer), finisher_(finisher) {}

  /// Books the end that a node has told. Does nothing if the attempt is not open.
  void book(const attempt_end& end, service_time now) { book(end, false, now); }

  /// Books the end of an attempt of unknown outcome. Does nothing if the attempt is not open.
  void lose(const attempt_key& which, end_reason reason, const char* detail, service_time now);

private:
  void book(const attempt_end& end, bool lost, service_time now);

  work_tables& tables_;
  task_placer& placer_;
  job_finisher& finisher_;
};

} // namespace troupe
