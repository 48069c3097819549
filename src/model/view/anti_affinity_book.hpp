#pragma once

#include "model/view/machine_filter.hpp"

#include <cstdint>
#include <unordered_map>

namespace troupe {

/// For jobs whose tasks must be on separate machines (anti-affinity): the machines that hold a task
/// of each job, decided on or running.
class anti_affinity_book {
public:
  /// Records a task of the job on a machine.
  void add(job_id job, machine_id m) {
    auto& its = jobs_[job];
    if (!its.machines.insert(m).second)
      ++its.shared[m];
  }

  /// Removes a record of a task. No effect if there is none.
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

  /// Returns the machines that hold a task of the job, or null if there are none. The set changes
  /// with the next call that changes anything.
  const machine_set* machines_of(job_id job) const {
    const auto it = jobs_.find(job);
    return it == jobs_.end() ? nullptr : &it->second.machines;
  }

  /// Returns whether several tasks of the job are recorded on a machine, which must never happen.
  bool shares(job_id job, machine_id m) const {
    const auto it = jobs_.find(job);
    return it != jobs_.end() && it->second.shared.contains(m);
  }

  /// Counts how often a machine has lost its last task of a job.
  std::uint64_t removals() const { return removals_; }

private:
  struct held {
    machine_set machines;
    std::unordered_map<machine_id, std::uint32_t> shared; ///< number of tasks beyond the first
  };

  std::unordered_map<job_id, held> jobs_;
  std::uint64_t removals_ = 0;
};

} // namespace troupe
