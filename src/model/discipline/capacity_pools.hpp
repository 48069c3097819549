#pragma once

#include "model/cluster/machine_windows.hpp"
#include "model/discipline/availability_profile.hpp"
#include "model/discipline/expected_runs.hpp"
#include "model/discipline/start_request.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// Tasks of a request in each pool; empty if machines are counted together.
using pool_counts = std::vector<std::uint32_t>;

/// Where and when a request fits.
struct pool_start {
  instant at = far_future;          ///< if it does not
  pool_counts counts{};             ///< with windows
  std::vector<resource_sum> free{}; ///< then, by pool, if only runs were looked at
};

/// The machines that a queue counts: what they have, what runs there, and when that is expected to
/// end. Machines with windows are counted apart, by their class (`machine_windows`): each class is
/// a pool of its own. Without windows there is one pool.
///
/// Runs that outlive their estimates count as over. If other schedulers, whose ends are unknown,
/// also use the machines, their resources are expected to be free after the mean estimate of the
/// requests so far.
class capacity_pools {
public:
  /// `windows`, if any, must outlive this.
  explicit capacity_pools(const machine_windows* windows)
    : windows_(windows), pools_(windows == nullptr ? 1 : windows->classes()) {}

  /// Null: there are none.
  const machine_windows* windows() const { return windows_; }

  std::uint32_t size() const { return static_cast<std::uint32_t>(pools_.size()); }

  // -- what there is --------------------------------------------------------------------------

  /// What a pool has for the known runs and the requests, and what others hold beside them.
  const resource_sum& capacity(std::uint32_t pool) const { return pools_[pool].capacity; }
  const resource_sum& others(std::uint32_t pool) const { return pools_[pool].others; }
  resource_sum all(std::uint32_t pool) const {
    return resource_sum{capacity(pool)} += others(pool);
  }

  void set_capacity(std::uint32_t pool, const resource_sum& own, const resource_sum& others) {
    pools_[pool].capacity = own;
    pools_[pool].others = others;
  }

  bool any_others() const;

  /// What is free now.
  resource_sum free(std::uint32_t pool) const {
    return resource_sum{pools_[pool].capacity} -= held(pool);
  }
  resource_sum free() const;

  // -- what runs ------------------------------------------------------------------------------

  /// A run and where it is.
  struct pool_run {
    std::uint32_t pool = 0;
    expected_runs::run what;
  };

  /// Notes that a task runs. Returns false, and changes nothing, if it did before.
  bool begin_run(const task_id& task, const expected_runs::run& what, std::uint32_t pool) {
    return pools_[pool].runs.begin(task, what);
  }

  /// Notes that a task does not run any more. Returns nothing if it was not known to run.
  std::optional<pool_run> end_run(const task_id& task);

  /// What the runs in a pool hold together.
  const resource_sum& held(std::uint32_t pool) const { return pools_[pool].runs.held(); }

  /// Returns the next expected end of a run after an instant; that instant if there is none.
  instant next_end(instant after) const;

  /// Takes the estimate of a request into account; 0: it has none.
  void count_estimate(duration estimate);

  /// The time after which resources of other schedulers are expected to be free.
  duration others_hold_for() const;

  // -- where a request fits -------------------------------------------------------------------

  /// Chooses pools for all tasks of a request among those that are open to it in [from, until):
  /// those that close soonest first. `room(pool)` returns how many tasks a pool holds. Only with
  /// windows.
  template <class Room>
  std::optional<pool_counts> choose(const start_request& what, instant from, instant until,
                                    Room room) const {
    std::vector<std::pair<instant, std::uint32_t>> open;
    for (std::uint32_t p = 0; p < size(); ++p)
      if (const auto at = windows_->open_until(p, from, what.tenant); at > from && until <= at)
        open.emplace_back(at, p);
    std::ranges::sort(open);
    pool_counts counts(size());
    auto left = what.tasks;
    for (const auto& [_, p] : open) {
      counts[p] = std::min(left, room(p));
      left -= counts[p];
      if (left == 0)
        return counts;
    }
    return std::nullopt;
  }

  /// Returns where a request fits now, by the sums, if no other one waits; nothing if it does not.
  std::optional<pool_counts> fit_now(const start_request& what, instant now) const;

  /// Returns how many tasks of a request that ends at `end` may start now in each pool. Pools are
  /// counted without regard to constraints and anti-affinity. Only with windows.
  pool_counts open_for(const start_request& what, instant now, instant end) const;

  /// Returns when and where a request is expected to fit, if nobody else waits. Only with windows.
  pool_start first_fit(const start_request& what, instant now) const;

  /// Returns when a request is expected to fit, if nobody else waits. If that is not now, it is
  /// after now: who outlives an estimate has not ended yet.
  instant first_start(const start_request& what, instant now) const;

  /// What other schedulers are expected to release in the one pool, and what runs do, in the order
  /// of time, until `visit(at, amount)` returns false. Without windows.
  template <class Visit>
  void visit_releases(instant now, Visit visit) const {
    const auto& of = pools_.front();
    const auto others_end = end_after(now, others_hold_for());
    bool others_count = of.others != resource_sum{};
    for (const auto& [at, released] : of.runs.ends()) {
      if (others_count && others_end < at) {
        others_count = false;
        if (!visit(others_end, of.others))
          return;
      }
      if (!visit(at, released.amount))
        return;
    }
    if (others_count)
      visit(others_end, of.others);
  }

private:
  struct counted_pool {
    expected_runs runs;
    resource_sum capacity;
    resource_sum others;
  };

  const machine_windows* windows_;
  std::vector<counted_pool> pools_; ///< by class of machines; one without windows
  double lengths_ = 0;              ///< sum of the known estimates, in s, of the requests so far
  std::uint64_t counted_ = 0;
};

} // namespace troupe
