#pragma once

#include "model/base/time.hpp"
#include "model/discipline/start_discipline.hpp"
#include "model/discipline/start_rank.hpp"
#include "model/explain/task_watch.hpp"
#include "model/jobs/retry_rule.hpp"
#include "model/records/record_level.hpp"
#include "model/view/own_share.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace troupe {

/// The source from which a scheduler's view learns the free resources.
enum class view_source : std::uint8_t {
  snapshots, ///< snapshots, and the rejections in between
  own_tasks, ///< its own tasks alone: no other scheduler uses its machines
  offers,    ///< what it is offered, until it answers
};

/// How long decisions take: t_job for each job that is attempted again, and t_task for each task
/// (Schwarzkopf et al., Omega, EuroSys 2013, section 4).
struct decision_time {
  duration t_job{0};
  duration t_task = std::chrono::microseconds{500};
};

/// A scheduler's decision times, the rules that it follows, its reaction to refusals, and the
/// limits at which it gives up.
struct scheduler_limits {
  /// A decision on a batch takes t_job for each job in it that is attempted again, and t_task for
  /// each task (Schwarzkopf et al., Omega, EuroSys 2013, section 4).
  duration t_job{0};
  duration t_task = std::chrono::microseconds{500};
  std::uint32_t batch = 10;       ///< most tasks decided on at a time, at least 1; see one_job
  std::uint32_t max_attempts = 0; ///< refusals after which a task is abandoned; 0: never
  duration commit_timeout = std::chrono::seconds{2}; ///< a commit is sent again after this
  std::uint32_t look_past = 0; ///< most tasks without a machine that others may overtake at a time
  /// Which jobs may start before jobs ahead of them, in which order of the queue.
  start_discipline discipline = start_discipline::fit;
  start_order order = start_order::fcfs;
  start_factors factors{};
  width_rule width = width_rule::requested; ///< of moldable jobs
  /// By group of jobs: whether tasks are killed that outlive their job's estimate; none: nowhere.
  std::vector<bool> kills{};
  bool preferences = true; ///< follows the preferences of the tasks' classes
  /// If the view learns from snapshots: the resources of a task are free as soon as its end is
  /// reported.
  bool own_ends = false;
  /// A task that finds no room may take that of running tasks of lower priority. The owners must
  /// record the priorities of running tasks.
  bool preemption = false;
  duration aging{0}; ///< one step of priority is worth so much waiting; 0: priorities are strict
  view_source source = view_source::snapshots;
  own_share share{};
  /// Decision times by the group of the job, where they differ; for other groups: those above.
  std::vector<decision_time> code_paths{};
  std::uint32_t offer_tasks = 0; ///< most tasks placed before offers are answered; 0: no limit
  double hoard = 0;          ///< share of the cluster that it keeps under offer for gangs at most
  duration offer_timeout{0}; ///< offers are rescinded after this; 0: never
  bool suppress_offers = false; ///< it asks for no offers while no task waits
  /// Attempts that place no task of a job after which all of it is abandoned; 0: never (Omega).
  std::uint32_t max_empty_attempts = 0;
  /// One conflict aborts all placements of its job that were decided on together (Omega, 5.2).
  bool all_or_nothing = false;
  retry_rule retry{};
  /// Machines offered to the owner for each placement: the first choice, which the view is charged
  /// with, and others of the same owner, which it is not. At least 1.
  std::uint32_t candidates = 1;
  duration keep_away{0}; ///< a machine that refused is not picked for this long if another one fits
  duration age_bin{0};   ///< width of the bins that conflicts are counted in by age
  instant warmup{0};     ///< jobs submitted earlier are left out of delays, responses and quality
  /// A transaction is all waiting tasks of one job, however small `batch` is, and costs t_job: as
  /// in Omega. What is refused of it is queued again when all owners have answered.
  bool one_job = false;
  /// Owners refuse each placement that has seen another version of its machine than theirs.
  bool coarse_detection = false;
  duration sync_gap{0};         ///< as policies are told: in which the view is refreshed once
  std::uint32_t schedulers = 0; ///< as policies are told: that share the cluster
  record_level records = record_level::none; ///< what is recorded of jobs and tasks
  task_watch* watch = nullptr; ///< is told of one job, if jobs are recorded; null: none
};

} // namespace troupe
