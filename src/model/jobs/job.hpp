#pragma once

#include "model/base/ids.hpp"
#include "model/base/resources.hpp"
#include "model/base/time.hpp"
#include "model/jobs/constraint.hpp"
#include "model/jobs/moldability.hpp"
#include "model/jobs/task_fate.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// Tasks of one job that ask for the same resources.
struct task_group {
  std::uint32_t count = 0; ///< number of tasks, at least 1
  resources demand;        ///< of each task
  /// How long each task runs: one entry for all tasks, or `count` entries.
  std::vector<duration> durations{};
  std::vector<constraint> constraints{}; ///< its machines must meet all of them
  std::uint32_t task_class = 0;          ///< selects the catalog's scores that its tasks prefer
  /// Groups of the same job, each before this one. All their tasks must be over before tasks of
  /// this group may start.
  std::vector<std::uint32_t> after{};

  duration duration_of(std::uint32_t task) const {
    return durations.size() == 1 ? durations.front() : durations[task];
  }
};

struct job;

/// Returns whether groups of a job wait for others. Throws `std::invalid_argument` if a group waits
/// for one that is not before it.
bool has_stages(const job& j);

/// The tasks that a client submits together. Tasks are numbered through all groups, in order.
struct job {
  job_id id = 0;
  instant submitted{0}; ///< when the client submits it
  duration estimate{0}; ///< the client's estimate of a task's runtime; 0 if there is none
  std::vector<task_group> groups{};
  std::uint32_t group = 0;   ///< its workload group, also in all results
  std::uint32_t tenant = 0;  ///< index into the tenants of the settings
  std::int32_t priority = 0; ///< higher goes first
  bool gang = false;         ///< its tasks start together or not at all
  bool spread = false;       ///< no two of its tasks on one machine (anti-affinity)
  /// Most of its tasks that wait for a machine or run at a time, if it is no gang and has no
  /// stages; 0: no limit.
  std::uint32_t at_once = 0;
  moldability mold{}; ///< if its scheduler chooses how many tasks it has

  std::uint32_t task_count() const {
    std::uint32_t n = 0;
    for (const auto& g : groups)
      n += g.count;
    return n;
  }
};

} // namespace troupe
