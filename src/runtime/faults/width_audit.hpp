#pragma once

#include "model/protocol/failure_protocol.hpp"
#include "runtime/faults/first_violation.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace troupe {

/// Watches from outside how wide moldable jobs really are. Always: each task that a machine starts
/// belongs to a width within the limits of its job, and takes the time that its job takes at that
/// width. As long as nothing has failed: all tasks of that width start at once, and no others.
class width_audit {
public:
  /// Nothing fails before `first_failure`; tasks that start at once do so within `at_once`.
  /// `kills`: by group of jobs, as in `record_audit`.
  width_audit(first_violation& to, instant first_failure, duration at_once, std::vector<bool> kills)
    : to_(to), first_failure_(first_failure), at_once_(at_once), kills_(std::move(kills)) {}

  /// A scheduler is handed jobs.
  void delivered(const job_delivery& what);

  /// A machine starts a task.
  void started(const launch_order& order, instant now);

  /// All jobs are over.
  void check_end();

private:
  struct watched_job {
    moldability by;
    bool kills = false;
    std::set<std::uint32_t> widths; ///< at which all tasks may run that were started so far
    std::map<std::uint32_t, instant> starts; ///< by task
  };

  static bool takes(const watched_job& of, std::uint32_t width, duration runtime);

  first_violation& to_;
  instant first_failure_;
  duration at_once_;
  std::vector<bool> kills_;
  std::map<job_id, watched_job> jobs_;
};

} // namespace troupe
