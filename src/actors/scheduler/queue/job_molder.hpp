#pragma once

#include "actors/scheduler/scheduler_tables.hpp"
#include "model/base/planted_faults.hpp"

#include <cstdint>

namespace troupe {

/// Gives moldable jobs their widths. A waiting job has its least width; the additional tasks of a
/// greater width are submitted when the job gets this width. The width is settled when all tasks
/// have machines in a decision: the job keeps it if the commit is refused or a task is lost, and
/// its job store is told. If failures are watched, owners hold the commit until the store has
/// received the width, so a successor of the scheduler knows the width of every job with a running
/// task.
class job_molder {
public:
  explicit job_molder(scheduler_tables& tables) : tables_(tables) {}

  /// Gives a job that is about to be decided on a width. It is not in the queue.
  void mold(const waiting_task& whole, std::uint32_t width) {
    const auto least = whole.of->task_count();
    if (width == least)
      return;
    resize(whole, width);
  }

  /// Takes the width back, as no machines were found. The job is not in the queue.
  void unmold(const waiting_task& whole) {
    if (whole.of->mold.is_open() && whole.of->task_count() != whole.of->mold.least)
      resize(whole, whole.of->mold.least);
  }

  /// Notes that the width of a job is final: all its tasks have machines.
  void settle(const job& of) {
    if (!of.mold.is_open())
      return;
    tables_.waiting.jobs().settle_width(of.id);
    const auto added = of.task_count() - of.mold.least;
    tables_.counters.of(of.group).molded += added;
    if (tables_.failover && !planted(planted_fault::untold_width))
      tables_.failover->molded(of.id, of.task_count(), added);
    if (auto* records = tables_.records())
      records->resize(of);
  }

private:
  void resize(const waiting_task& whole, std::uint32_t width) {
    const auto before = whole.of->task_count();
    tables_.waiting.jobs().set_width(whole.task.job, width);
    tables_.counters.resize(whole.group(), whole.submitted,
                            std::int64_t{width} - std::int64_t{before});
  }

  scheduler_tables& tables_;
};

} // namespace troupe
