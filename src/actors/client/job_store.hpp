#pragma once

#include "model/metrics/metrics.hpp"
#include "model/metrics/task_balance.hpp"
#include "model/protocol/failure_protocol.hpp"
#include "model/protocol/reliable_channel.hpp"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace troupe {

/// The one keeper of the jobs that were accepted from a client: holds every job until all of its
/// tasks are over, and hands it to the present incarnation of its scheduler. Without an actor
/// around it.
class job_store {
public:
  /// `number` is the workload's; `incarnations` are the incarnations of its schedulers, from number
  /// `first` on. A delivery that is not confirmed within `patience` is overdue.
  job_store(std::uint32_t number, scheduler_id first, std::vector<incarnation_id> incarnations,
            duration patience);

  /// Accepts a job for a scheduler, by the scheduler's place among those of the workload.
  void add(std::size_t scheduler, job accepted);

  /// Withdraws a job: none of its waiting tasks is to be placed. Its scheduler is told; tasks that
  /// it has already placed continue.
  void withdraw(job_id id);

  /// Returns the deliveries that are due, with their receivers.
  std::vector<std::pair<scheduler_id, job_delivery>> deliveries(instant now);

  /// Notes ends of tasks. Returns the answer, or nothing if the report is not from the present
  /// incarnation of the scheduler.
  std::optional<store_seen> hear(const store_report& news, instant now);

  /// Delivers to a new incarnation of a scheduler from now on, all its unfinished jobs first. Does
  /// nothing for a known incarnation.
  void scheduler_incarnations(scheduler_id scheduler, incarnation_id incarnation);

  /// Has `call` called for each task that is over.
  void when_over(std::function<void(const task_id&, task_fate)> call) {
    over_call_ = std::move(call);
  }

  incarnation_id incarnation_of(scheduler_id scheduler) const {
    return to_.at(scheduler - first_).incarnation;
  }

  std::size_t open_jobs() const { return jobs_.size(); }
  std::uint64_t tasks() const { return tasks_; } ///< taken in
  std::uint64_t over() const { return over_; }

  /// Returns the numbers of tasks handed to the present incarnation of each of its schedulers.
  std::vector<handed_tasks> handed() const;

  /// The numbers of tasks and jobs by fate.
  using fate_counts = std::array<std::uint64_t, task_fates>;
  const fate_counts& tasks_by_fate() const { return tasks_by_fate_; }
  const fate_counts& jobs_by_fate() const { return jobs_by_fate_; }

  /// Returns the ages of the jobs and tasks that are kept for each scheduler, by its place. Jobs
  /// that were submitted before `warmup` are left out.
  std::vector<kept_ages> ages(instant now, instant warmup) const;

  /// Returns whether a task is over.
  bool is_over(const task_id& task) const;

  /// Returns a job that is not over, or null.
  const job* find(job_id id) const {
    const auto it = jobs_.find(id);
    return it == jobs_.end() ? nullptr : &it->second.what;
  }

private:
  struct kept {
    job what;
    std::size_t scheduler = 0;
    std::set<std::uint32_t> over;
    task_fate fate = task_fate::finished; ///< so far
    bool withdrawn = false;
  };

  /// What a scheduler reports: the end of a task, or the width of a job.
  struct scheduler_news {
    task_id task;
    task_fate fate = task_fate::finished;
    std::uint32_t width = 0; ///< not 0: of the task's job, and no end
  };

  struct receiver {
    incarnation_id incarnation = 0;
    std::vector<kept_job> next;    ///< of the delivery to come
    std::vector<job_id> withdrawn; ///< likewise
    reliable_sender<job_delivery> deliveries;
    reliable_receiver<scheduler_news> ends;
    std::uint64_t given = 0; ///< tasks, to this incarnation
    std::uint64_t heard = 0; ///< of these, ends
  };

  void begin(receiver& to, incarnation_id incarnation);
  void note_end(receiver& from, const scheduler_news& ended);
  void note_width(receiver& from, job_id id, std::uint32_t width);

  std::uint32_t number_;
  scheduler_id first_;
  duration patience_;
  std::vector<receiver> to_;
  std::map<job_id, kept> jobs_;
  std::uint64_t tasks_ = 0;
  std::uint64_t over_ = 0;
  fate_counts tasks_by_fate_{};
  fate_counts jobs_by_fate_{};
  job_id next_id_ = 0; ///< jobs below this have been taken in
  std::function<void(const task_id&, task_fate)> over_call_;
};

} // namespace troupe
