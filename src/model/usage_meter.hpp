#pragma once

#include "model/catalog.hpp"
#include "model/metrics.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// A task as far as its use of a machine goes.
struct task_use {
  resources demand;
  std::uint32_t tenant = 0;
  bool granted = false; ///< by an owner, who counts it for its tenant
};

/// Integrates over time how much of some machines is in use and by whom. Changes must come in the
/// order of time.
class usage_meter {
public:
  /// `machines` are measured, all idle at first. With more than one tenant their shares are kept,
  /// those of granted tasks aside. Reads `machines` only here.
  usage_meter(const catalog& machines, std::uint32_t tenants)
    : usage_meter(machines, tenants, 0, machines.machines(), instant{0}) {}

  /// Of `count` machines from `first` on, from some time on. What is in use it tells as a share of
  /// all machines, and of time as large a share, so that sums over the parts of a cluster are those
  /// of the whole.
  usage_meter(const catalog& machines, std::uint32_t tenants, machine_id first, std::uint32_t count,
              instant from);

  /// Notes that a task starts on a machine where `unused` was not in use.
  void start(const task_use& task, const resources& unused, instant now) {
    change(task, unused, unused - task.demand, 1, now);
  }

  /// Notes that a task ends on a machine where `unused` was not in use.
  void end(const task_use& task, const resources& unused, instant now) {
    change(task, unused, unused + task.demand, -1, now);
  }

  /// The share in use now, by the resource of which most is (1 is everything).
  double utilization() const;

  /// Writes what was integrated from the start until `now`.
  void write(queue_counts& to, instant now);

private:
  void change(const task_use& task, const resources& before, const resources& after, int sign,
              instant now);
  void account(instant now);

  std::vector<resource> columns_; ///< the kinds that there are
  resources fragment_;
  bool strands_ = false; ///< whether anything can be stranded
  resource_sum capacity_{};
  resource_sum of_{}; ///< of all machines
  resource_sum used_{};
  resource_sum stranded_{};
  std::vector<tenant_usage> tenants_;
  resource_uses uses_{};
  double weight_ = 1;
  double used_seconds_ = 0;
  instant from_;
  instant accounted_;
};

} // namespace troupe
