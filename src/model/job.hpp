#pragma once

#include "model/constraint.hpp"
#include "model/ids.hpp"
#include "model/resources.hpp"
#include "model/task_fate.hpp"
#include "model/time.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// Equal tasks of one job: they ask for the same resources.
struct task_group {
  std::uint32_t count = 0; ///< number of tasks, at least 1
  resources demand;        ///< what each task asks for
  /// How long each task runs: one entry for all tasks alike, or `count` entries.
  std::vector<duration> durations;
  std::vector<constraint> constraints{}; ///< all of which its machines must meet
  std::uint32_t task_class = 0;          ///< what its tasks prefer: which of the catalog's scores
  /// Groups of the same job, each before this one, whose tasks must all be over before those of
  /// this one may start.
  std::vector<std::uint32_t> after{};

  duration duration_of(std::uint32_t task) const {
    return durations.size() == 1 ? durations.front() : durations[task];
  }
};

/// What a client submits at one moment. Tasks are numbered through all groups, in order.
struct job {
  job_id id = 0;
  instant submitted{0}; ///< when the client hands it in
  duration estimate{0}; ///< what the client believes a task takes; 0 if it says nothing
  std::vector<task_group> groups{};
  std::uint32_t group = 0;   ///< the workload group that it belongs to, in all results
  std::uint32_t tenant = 0;  ///< whose job it is: an index into the tenants of the settings
  std::int32_t priority = 0; ///< higher goes first
  bool gang = false;         ///< its tasks start together or not at all
  bool spread = false;       ///< no two of its tasks on one machine (anti-affinity)

  std::uint32_t task_count() const {
    std::uint32_t n = 0;
    for (const auto& g : groups)
      n += g.count;
    return n;
  }
};

} // namespace troupe
