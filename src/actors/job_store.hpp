#pragma once

#include "model/failure_protocol.hpp"
#include "model/metrics.hpp"
#include "model/reliable_channel.hpp"
#include "model/task_balance.hpp"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace troupe {

/// The one keeper of what was accepted from a client: holds every job until all of its tasks are
/// over, and hands it to whichever life of its scheduler there is. Without an actor around it.
class job_store {
public:
  /// `number` is the workload's; `lives` are those of its schedulers, from number `first` on. What
  /// is not confirmed for `patience` is overdue.
  job_store(std::uint32_t number, scheduler_id first, std::vector<incarnation> lives,
            duration patience);

  /// Takes a job in for a scheduler, by its place among those of the workload.
  void add(std::size_t scheduler, job accepted);

  /// Returns what is to be delivered now, to whom.
  std::vector<std::pair<scheduler_id, job_delivery>> deliveries(instant now);

  /// Notes what is over. Returns the answer, or nothing if it is of a life of the scheduler that is
  /// not the present one.
  std::optional<store_seen> hear(const store_report& news, instant now);

  /// Delivers to a new life of a scheduler from now on, all its unfinished jobs first. Nothing
  /// happens for one that is known.
  void scheduler_lives(scheduler_id scheduler, incarnation life);

  incarnation life_of(scheduler_id scheduler) const { return to_.at(scheduler - first_).life; }

  std::size_t open_jobs() const { return jobs_.size(); }
  std::uint64_t tasks() const { return tasks_; } ///< taken in
  std::uint64_t over() const { return over_; }

  /// Returns what was handed to the present life of each of its schedulers.
  std::vector<handed_tasks> handed() const;

  /// How many tasks, and jobs, have met which fate.
  using fate_counts = std::array<std::uint64_t, task_fates>;
  const fate_counts& tasks_by_fate() const { return tasks_by_fate_; }
  const fate_counts& jobs_by_fate() const { return jobs_by_fate_; }

  /// Returns how old what is kept for each scheduler is, by its place. Jobs that were submitted
  /// before `warmup` are left out.
  std::vector<kept_ages> ages(instant now, instant warmup) const;

  /// Returns whether a task is over.
  bool is_over(const task_id& task) const;

private:
  struct kept {
    job what;
    std::size_t scheduler = 0;
    std::set<std::uint32_t> over;
    task_fate fate = task_fate::finished; ///< so far
  };

  using ended_task = std::pair<task_id, task_fate>;

  struct receiver {
    incarnation life = 0;
    std::vector<kept_job> next; ///< of the delivery to come
    reliable_sender<job_delivery> deliveries;
    reliable_receiver<ended_task> ends;
    std::uint64_t given = 0; ///< tasks, of this life
    std::uint64_t heard = 0; ///< of these, ends
  };

  void begin(receiver& to, incarnation life);
  void note_end(receiver& from, const ended_task& ended);

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
};

} // namespace troupe
