#pragma once

#include "jobs/service/jobs/live_job_table.hpp"
#include "jobs/service/placing/scheduler_numbers.hpp"
#include "model/jobs/job.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace troupe {

/// What the scheduling layer has to hear.
struct scheduler_orders {
  std::vector<job> made;         ///< their tasks may be placed
  std::vector<job_id> withdrawn; ///< none of their tasks has to be placed any more
};

/// The tasks that are handed out to the scheduling layer: which of its jobs stand for which tasks.
/// A task may be handed out several times; only the latest time counts (`placed_by`).
class hand_out_book {
public:
  /// `tenants`: as for a `work_book`.
  hand_out_book(live_job_table& jobs, store_changes& changes, job_id next_number,
                std::vector<std::string> tenants)
    : jobs_(jobs), tenants_(std::move(tenants)), numbers_(changes, next_number) {}

  /// Hands out tasks of a group as one job of the scheduling layer. `tasks`: rising numbers in the
  /// group; empty: all of it.
  void hand_out(live_job& j, live_group& g, std::vector<std::uint32_t> tasks);

  /// A task is not to be placed by this job of the scheduling layer any more. `placed_by`: 0: none.
  void leave(job_id placed_by);

  /// Numbers of tasks, by the job of the scheduling layer that stands for them.
  using task_numbers = std::map<job_id, std::uint32_t>;

  /// None of the jobs' tasks has to be placed any more: so many were to be until now. Jobs that are
  /// not handed out are passed over.
  void withdraw(const task_numbers& tasks);

  /// A task of an accepted job, by its number in the job.
  struct task_place {
    live_job* of;
    std::uint32_t task;
  };

  /// Returns the task behind a task of the scheduler, if its job is not over and it was not handed
  /// out again since.
  std::optional<task_place> latest_of(task_id as);

  /// Returns the numbers below `end` of the jobs that were handed out and are not over, rising.
  std::vector<job_id> below(job_id end) const;

  /// Returns the orders since the last call.
  scheduler_orders take_orders();

private:
  /// Tasks of one group that were handed out together.
  struct handed_out {
    std::uint64_t job = 0;
    std::uint32_t group = 0;
    std::vector<std::uint32_t> tasks; ///< numbers in the group; empty: all of it
    std::uint32_t left = 0;           ///< tasks that this is still the latest for
  };

  std::uint32_t number_of(const std::string& tenant) const;

  live_job_table& jobs_;
  std::vector<std::string> tenants_; ///< by their number for the scheduling layer
  scheduler_numbers numbers_;
  std::unordered_map<job_id, handed_out> handed_;
  scheduler_orders orders_;
};

} // namespace troupe
