#pragma once

#include "model/cluster/catalog.hpp"
#include "model/metrics/metrics.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// The properties of a task that determine its use of a machine.
struct task_use {
  resources demand;
  std::uint32_t tenant = 0;
  bool granted = false; ///< by an owner, which counts it for its tenant
};

/// Integrates over time the use of some machines, in all and by tenant. Changes must come in the
/// order of time. If machines change, the use is a share of their present capacity; time without
/// capacity does not count.
class usage_meter {
public:
  /// Measures all of `machines`, initially idle. With more than one tenant, also measures the use
  /// by each, without granted tasks. Reads `machines` only here.
  usage_meter(const catalog& machines, std::uint32_t tenants)
    : usage_meter(machines, tenants, 0, machines.machines(), instant{0}) {}

  /// Measures `count` machines from `first` on, from an instant on. It reports the use as a share
  /// of all machines and weights time likewise, so that sums over the parts of a cluster are those
  /// of the whole.
  usage_meter(const catalog& machines, std::uint32_t tenants, machine_id first, std::uint32_t count,
              instant from);

  /// Records the start of a task on a machine on which `unused` was not in use.
  void start(const task_use& task, const resources& unused, instant now) {
    change(task, unused, unused - task.demand, 1, now);
  }

  /// Records the end of a task on a machine on which `unused` was not in use.
  void end(const task_use& task, const resources& unused, instant now) {
    change(task, unused, unused + task.demand, -1, now);
  }

  /// Records that a machine on which `unused` was not in use has so much more from now on.
  void resize(const resources& by, const resources& unused, instant now);

  /// The share in use now, of the resource with the greatest share (1 is everything).
  double utilization() const;

  /// Writes the integrals from the start until `now`.
  void write(queue_counts& to, instant now);

private:
  void change(const task_use& task, const resources& before, const resources& after, int sign,
              instant now);
  void account(instant now);
  void move_stranded(const resources& before, const resources& after);

  std::vector<resource> columns_; ///< kinds of resource in the cluster
  resources fragment_;
  bool strands_ = false; ///< whether free amounts can be stranded
  resource_sum capacity_{};
  resource_sum of_{};    ///< of all machines
  bool resized_ = false; ///< some machine has, or had, less than by the catalog
  resource_sum used_{};
  resource_sum stranded_{};
  std::vector<tenant_usage> tenants_;
  resource_uses uses_{};
  double weight_ = 1;
  double used_seconds_ = 0;
  double empty_seconds_ = 0; ///< during which no machine had anything
  instant from_;
  instant accounted_;
};

} // namespace troupe
