#pragma once

#include "model/machine_filter.hpp"

#include <cstdint>
#include <unordered_map>

namespace troupe {

/// For jobs whose tasks keep off each other's machines (anti-affinity): which machines hold a task
/// of each, decided on or running.
class spread_book {
public:
  /// Notes that a task of the job goes to a machine, or is found there.
  void add(job_id job, machine_id m) {
    auto& its = jobs_[job];
    if (!its.machines.insert(m).second)
      ++its.shared[m];
  }

  /// Notes that a task of the job is no longer there. No effect if none was noted.
  void remove(job_id job, machine_id m) {
    const auto it = jobs_.find(job);
    if (it == jobs_.end())
      return;
    auto& its = it->second;
    if (const auto more = its.shared.find(m); more != its.shared.end()) {
      if (--more->second == 0)
        its.shared.erase(more);
      return;
    }
    if (its.machines.erase(m) == 0)
      return;
    ++removals_;
    if (its.machines.empty())
      jobs_.erase(it);
  }

  /// Returns the machines that hold a task of the job, or null if none does. They change with the
  /// next call that changes anything.
  const machine_set* machines_of(job_id job) const {
    const auto it = jobs_.find(job);
    return it == jobs_.end() ? nullptr : &it->second.machines;
  }

  /// Returns whether several tasks of the job are noted on a machine, which must never be.
  bool shares(job_id job, machine_id m) const {
    const auto it = jobs_.find(job);
    return it != jobs_.end() && it->second.shared.contains(m);
  }

  /// How often a machine has become free of a job.
  std::uint64_t removals() const { return removals_; }

private:
  struct held {
    machine_set machines;
    std::unordered_map<machine_id, std::uint32_t> shared; ///< tasks beyond the first
  };

  std::unordered_map<job_id, held> jobs_;
  std::uint64_t removals_ = 0;
};

} // namespace troupe
