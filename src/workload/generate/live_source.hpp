#pragma once

#include "model/jobs/job_source.hpp"

#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace troupe {

/// Jobs that clients submit during the run. May be used by any thread.
class live_source final : public job_source {
public:
  /// Hands in a job; its number is kept.
  void push(job accepted);

  /// None of the tasks of this job, which was handed in, has to be placed any more.
  void withdraw(job_id number);

  std::optional<job> next() override;
  bool goes_on() const override { return true; }
  void when_more(std::function<void()> call) override;
  std::vector<job_id> take_withdrawn() override;
  void note_over(const task_id& task, task_fate fate) override;

  /// Has `call` called, by the thread of the workload, for each task that is over for the
  /// schedulers.
  void when_over(std::function<void(const task_id&, task_fate)> call);

private:
  std::mutex mutex_;
  std::deque<job> jobs_;
  std::vector<job_id> withdrawn_;
  std::function<void()> more_;
  std::function<void(const task_id&, task_fate)> over_;
};

} // namespace troupe
