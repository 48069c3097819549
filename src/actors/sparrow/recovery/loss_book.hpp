#pragma once

#include "model/jobs/job.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace troupe {

/// Additional books of a Sparrow scheduler where failures are watched: the jobs that the loss of a
/// machine concerns, the jobs that lack machines, and the number of lost runs of each task.
class loss_book {
public:
  /// A task is given up after `retries` lost runs; 0: never.
  loss_book(std::uint32_t retries, std::size_t machines) : retries_(retries), on_(machines) {}

  /// Notes that a job has reserved on a machine, or sent a task there. `is_open` says of a job
  /// whether it is not over; others are forgotten.
  template <class IsOpen>
  void note_place(job_id job, machine_id machine, IsOpen is_open) {
    auto& [ids, full] = on_[machine];
    if (ids.size() >= full) {
      std::ranges::sort(ids);
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
      std::erase_if(ids, [&](job_id id) { return !is_open(id); });
      full = std::max<std::size_t>(16, 2 * ids.size());
    }
    ids.push_back(job);
  }

  /// Jobs that have, or once had, something on a machine; some more than once.
  const std::vector<job_id>& on(machine_id machine) const { return on_[machine].ids; }

  /// Notes that nothing is on a machine any more.
  void clear(machine_id machine) { on_[machine] = {}; }

  /// Notes whether a job lacks machines.
  void note_shortage(job_id job, bool lacks) {
    if (lacks)
      short_.insert(job);
    else
      short_.erase(job);
  }

  /// Returns jobs that lack machines, and some that do not any more.
  template <class IsOpen>
  std::vector<job_id> short_jobs(IsOpen is_open) {
    std::erase_if(short_, [&](job_id id) { return !is_open(id); });
    return {short_.begin(), short_.end()};
  }

  /// Books that a run of a task was lost. Returns whether it may run again.
  bool may_retry(const task_id& task) { return retries_ == 0 || ++losses_[task] <= retries_; }

  /// Notes that a task is over.
  void over(const task_id& task) { losses_.erase(task); }

private:
  struct jobs_there {
    std::vector<job_id> ids;
    std::size_t full = 16; ///< when those that have nothing to do with it any more are left out
  };

  std::uint32_t retries_;
  std::map<task_id, std::uint32_t> losses_; ///< of tasks that are not over
  std::vector<jobs_there> on_;              ///< by machine
  std::set<job_id> short_;                  ///< and some that are not any more
};

} // namespace troupe
