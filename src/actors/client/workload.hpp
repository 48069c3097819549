#pragma once

#include "actors/client/job_store.hpp"
#include "actors/common/member_session.hpp"
#include "actors/common/run_clock.hpp"
#include "actors/protocol/handles.hpp"
#include "model/base/random.hpp"
#include "model/jobs/job_source.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace troupe {

/// The properties that all jobs of a workload share, beside those that their source gives each.
struct job_traits {
  std::optional<std::uint32_t> tenant = 0; ///< none: the source gives each job its own
  std::int32_t priority = 0;               ///< added to the job's own
  bool gang = false;
  bool spread = false;
  std::uint32_t at_once = 0;
  std::vector<constraint> constraints; ///< beside those of the job's task groups
  std::uint32_t task_class = 0;

  void apply(job& to) const;
};

/// How jobs are withdrawn at random, as clients do.
struct withdrawal_rules {
  double share = 0;   ///< of the jobs
  duration within{0}; ///< after their submission
  random_stream random{1};
};

struct workload_config {
  std::uint32_t number = 0; ///< of the workload's group, which makes its job ids unique
  job_traits traits;
  std::shared_ptr<job_source> source;
  duration tick = std::chrono::milliseconds{1}; ///< jobs due within one are submitted together
  run_clock clock;
  /// How many of its schedulers, the first ones, get the jobs that are estimated to take `cutoff`
  /// or more, and no others (Delgado et al., Hawk, USENIX ATC 2015); 0: all are alike.
  std::uint32_t long_schedulers = 0;
  duration cutoff{0};
  /// If failures are watched: jobs are kept until they are over, and schedulers reached through
  /// `failover.reach`, from number `first_scheduler` on.
  std::optional<failover_rules> failover{};
  scheduler_id first_scheduler = 0;
  std::uint32_t schedulers = 0;
  instant warmup{0}; ///< jobs submitted earlier are left out of the ages that it tells
  withdrawal_rules withdrawals{};
};

struct workload_state {
  static inline const char* name = "workload";

  workload_state() = default;

  workload_config config;
  std::vector<scheduler_actor> schedulers;
  std::size_t turn = 0;      ///< the scheduler that gets the next job
  std::size_t long_turn = 0; ///< the one that gets the next long job, where that makes a difference
  std::optional<job> next;
  std::optional<instant> woken; ///< where jobs wait for ends: when it looks for due jobs again
  workload_status status;
  std::optional<job_store> store;             ///< if failures are watched
  std::multimap<instant, job_id> withdrawals; ///< that are to come
  std::optional<member_session> member;
};

/// A workload: submits its jobs when they are due, to the schedulers of its group in turn,
/// or where these are of two kinds, to those that are meant for jobs of this length.
workload_actor::behavior_type workload(workload_actor::stateful_pointer<workload_state> self,
                                       workload_config config);

} // namespace troupe
