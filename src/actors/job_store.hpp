#pragma once

#include "model/failure_protocol.hpp"

#include <deque>
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
  /// is not confirmed is delivered again after `resend_after`.
  job_store(std::uint32_t number, scheduler_id first, std::vector<incarnation> lives,
            duration resend_after);

  /// Takes a job in for a scheduler, by its place among those of the workload.
  void add(std::size_t scheduler, job accepted);

  /// Returns what is to be delivered now, to whom.
  std::vector<std::pair<scheduler_id, job_delivery>> deliveries(instant now);

  /// Notes what is over. Returns the answer, or nothing if it is of a life of the scheduler that is
  /// not the present one.
  std::optional<store_seen> hear(const store_report& news);

  /// Delivers to a new life of a scheduler from now on, all its unfinished jobs first. Nothing
  /// happens for one that is known.
  void scheduler_lives(scheduler_id scheduler, incarnation life);

  incarnation life_of(scheduler_id scheduler) const { return to_.at(scheduler - first_).life; }

  std::size_t open_jobs() const { return jobs_.size(); }
  std::uint64_t tasks() const { return tasks_; } ///< taken in
  std::uint64_t over() const { return over_; }

  /// Returns whether a task is over.
  bool is_over(const task_id& task) const;

private:
  struct kept {
    job what;
    std::size_t scheduler = 0;
    std::set<std::uint32_t> over;
  };

  struct sent_delivery {
    job_delivery what;
    std::optional<instant> at;
  };

  struct receiver {
    incarnation life = 0;
    std::uint64_t deliveries = 0;
    std::vector<kept_job> next; ///< of the delivery to come
    std::deque<sent_delivery> unconfirmed;
  };

  std::uint32_t number_;
  scheduler_id first_;
  duration resend_after_;
  std::vector<receiver> to_;
  std::map<job_id, kept> jobs_;
  std::uint64_t tasks_ = 0;
  std::uint64_t over_ = 0;
  job_id next_id_ = 0; ///< jobs below this have been taken in
};

} // namespace troupe
