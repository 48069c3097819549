#pragma once

#include "actors/sparrow/jobs/open_jobs.hpp"
#include "actors/sparrow/recovery/loss_book.hpp"
#include "actors/sparrow/sparrow_limits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace troupe {

/// Which jobs of a Sparrow scheduler an event at machines concerns: where failures are watched,
/// those that its loss book names; otherwise, all.
class affected_jobs {
public:
  affected_jobs(const open_jobs& jobs, const sparrow_limits& limits)
    : jobs_(&jobs), reserves_(limits.how == probing::late_binding) {}

  /// Failures are watched: begins a loss book.
  void watch(std::uint32_t retries, std::size_t machines) { losses_.emplace(retries, machines); }

  /// The loss book, or null.
  loss_book* losses() { return losses_ ? &*losses_ : nullptr; }

  /// Notes that a job has reserved on a machine, or sent a task there.
  void note_place(job_id job, machine_id machine) {
    if (losses_)
      losses_->note_place(job, machine, [this](job_id id) { return jobs_->contains(id); });
  }

  /// Notes whether a job lacks machines.
  void note_shortage(const open_job& j) {
    if (!losses_)
      return;
    const bool lacks = reserves_
                         ? std::ranges::any_of(j.groups, &open_job::group_state::lacks_machines)
                         : j.ready() > 0;
    losses_->note_shortage(j.what.id, lacks);
  }

  /// Returns jobs that may lack machines.
  std::vector<job_id> short_ones() {
    if (losses_)
      return losses_->short_jobs([this](job_id id) { return jobs_->contains(id); });
    std::vector<job_id> all;
    for (const auto& [id, _] : *jobs_)
      all.push_back(id);
    return all;
  }

  /// Returns jobs that may lack machines or have something on a machine, rising.
  std::vector<job_id> concerned_by(machine_id machine) {
    auto ids = short_ones();
    if (losses_)
      for (const auto id : losses_->on(machine))
        if (jobs_->contains(id))
          ids.push_back(id);
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
  }

private:
  const open_jobs* jobs_;
  bool reserves_;
  std::optional<loss_book> losses_; ///< where failures are watched
};

} // namespace troupe
