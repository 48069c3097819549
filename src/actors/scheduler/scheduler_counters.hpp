#pragma once

#include "actors/scheduler/decisions/decided_batch.hpp"
#include "actors/scheduler/scheduler_setup.hpp"
#include "model/metrics/busy_meter.hpp"
#include "model/metrics/group_counters.hpp"
#include "model/view/view.hpp"

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace troupe {

/// Counts the tasks of a scheduler by place, and makes the measurements for its samples. A task
/// changes its place by `move` only, so every task that was submitted is counted in exactly one
/// place.
class scheduler_counters {
public:
  /// One of the places in `task_counts`.
  using place = std::uint64_t task_counts::*;

  scheduler_counters(const scheduler_setup& setup, std::uint32_t own_group, instant now)
    : setup_(setup), books_(own_group, now), age_accounted_(now) {}

  // -- tasks by place -------------------------------------------------------------------------

  /// Counts tasks of all groups.
  task_counts total() const { return books_.total(); }

  /// Counts `tasks` that are in a place already when the scheduler first hears of them.
  void enter(std::uint32_t group, place in, std::uint64_t tasks) {
    auto& counts = books_.of(group).counts;
    counts.submitted += tasks;
    counts.*in += tasks;
  }

  /// Counts tasks more, or fewer if negative, of a job that waits since `since`.
  void resize(std::uint32_t group, instant since, std::int64_t tasks) {
    auto& counts = books_.of(group).counts;
    counts.submitted += static_cast<std::uint64_t>(tasks);
    counts.queued += static_cast<std::uint64_t>(tasks);
    wait(group, since, tasks);
  }

  void move(std::uint32_t group, place from, place to, std::uint64_t tasks = 1) {
    auto& counts = books_.of(group).counts;
    counts.*from -= tasks;
    counts.*to += tasks;
  }

  /// Notes that so many tasks more wait for a place from `at` on, or fewer if negative.
  void wait(std::uint32_t group, instant at, std::int64_t tasks) { books_.wait(group, at, tasks); }

  /// Returns whether every task is counted once, and as waiting if it waits; `blocked` tasks wait
  /// for others of their job only.
  bool balanced(std::uint64_t blocked) const;

  // -- runs -----------------------------------------------------------------------------------

  /// Notes that a task was granted a machine.
  void begin_run(const waiting_task& task, instant now);

  /// Notes that a task runs from before the scheduler heard of it.
  void resume_run(const task_id& task);

  /// Notes that a run of a task is over.
  void end_run(std::uint32_t group, const task_id& task);

  /// Notes that a task that was believed to run does not.
  void forget_run(const task_id& task);

  /// Notes that a task ended whose job was over: it must have run twice.
  void ran_twice() { ++books_.own().duplicate_grants; }

  std::uint64_t granted_twice() const { return books_.duplicate_grants(); }

  // -- placements -----------------------------------------------------------------------------

  /// Notes that a task of a class was placed, `delay` after it was queued; `violates`: where it
  /// must not be.
  void placed(const decided_placement& d, duration delay, std::uint32_t task_class, bool violates);

  /// Counts a task as placed whose grant was not sure at first.
  void found(std::uint32_t group) { ++books_.of(group).counts.placed; }

  void conflict(const decided_placement& d, conflict_cause cause);
  void preempted(const waiting_task& task, duration ran);
  void given_up(const waiting_task& task, instant now);
  void job_over(std::uint32_t group, const job_end& end, bool warm);

  /// The first decision that found machines for a job begins.
  void begin_job(const waiting_task& task, instant now) {
    if (setup_.is_warm(task.submitted))
      of(task.group()).attempts.wait.add(to_seconds(now - task.submitted));
  }

  const group_counters& by_group() const { return books_; }

  /// The sample of a group, or of the scheduler's own one, for all that is merely counted.
  scheduler_sample& of(std::uint32_t group) { return books_.of(group).sample; }
  scheduler_sample& own() { return books_.own(); }

  // -- time -----------------------------------------------------------------------------------

  void begin_decision(instant from) { busy_.begin(from); }
  void add_decision(std::uint32_t group, duration time) { busy_.add(group, time); }
  void end_decision() { busy_.end(books_); }
  void give_up_decision(instant now) { busy_.give_up(now, books_); }

  /// Integrates the age of the view until `now`. To be called before the view is refreshed.
  void account_age(const view& seen, instant now);

  /// Notes how old a partition has become.
  void note_age(duration age) {
    books_.own().oldest_partition = std::max(books_.own().oldest_partition, age);
  }

  // -- samples --------------------------------------------------------------------------------

  /// Books the time of the decision under way that has passed.
  void pass(instant now) { busy_.pass(now, books_); }

  /// Notes the age of tasks that wait, of a job of this group and submission.
  void note_waiting(std::uint32_t group, instant submitted, instant since, std::uint32_t tasks,
                    instant now);

  /// Notes the age of a job that is not over.
  void note_open(std::uint32_t group, instant submitted, instant now);

  /// Returns the counts since the last call.
  std::vector<group_sample> take(instant now) { return books_.take(now); }

private:
  const scheduler_setup& setup_;
  group_counters books_;
  busy_meter busy_;
  instant age_accounted_{0};
#ifdef TROUPE_CHECKS
  std::unordered_set<task_id> granted_; ///< tasks that run
#endif
};

} // namespace troupe
