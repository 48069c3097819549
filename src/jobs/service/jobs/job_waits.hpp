#pragma once

#include "jobs/service/jobs/live_job.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace troupe {

/// Which jobs wait for which other jobs to succeed: the reverse of `live_job::waits_for`.
class job_waits {
public:
  /// Has a job wait for another.
  void add(live_job& j, std::uint64_t before) {
    j.waits_for.insert(before);
    dependents_[before].insert(j.row.id);
  }

  /// The job waits for no other job any more.
  void drop(live_job& j) {
    for (const auto before : std::exchange(j.waits_for, {}))
      if (const auto it = dependents_.find(before); it != dependents_.end())
        it->second.erase(j.row.id);
  }

  /// The job is over. Returns the jobs that have waited for it; the caller removes it from their
  /// `waits_for`.
  std::set<std::uint64_t> take(std::uint64_t id) {
    const auto node = dependents_.extract(id);
    return node ? std::move(node.mapped()) : std::set<std::uint64_t>{};
  }

private:
  std::map<std::uint64_t, std::set<std::uint64_t>> dependents_; ///< by the job waited for
};

} // namespace troupe
