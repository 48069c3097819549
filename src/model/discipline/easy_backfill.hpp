#pragma once

#include "model/discipline/capacity_pools.hpp"
#include "model/discipline/request_line.hpp"
#include "model/discipline/start_discipline.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace troupe {

/// A request that may start now.
struct start_choice {
  std::size_t index = 0; ///< in the line
  pool_counts where{};   ///< with windows
};

/// Which request starts under EASY backfilling (Lifka, JSSPP 1995): the reservation of the first
/// request, and the later ones that start without delaying it. `start_queue` describes the rules.
class easy_backfill {
public:
  explicit easy_backfill(width_rule by) : widths_(by) {}

  void choose_widths(width_rule by) { widths_ = by; }

  /// Notes that resources were released, or the first request is another one or has another
  /// shape: its reservation is made again.
  void changed() { changed_ = true; }

  /// Notes that a request was added to, or taken out of, the line.
  void added(std::size_t index);
  void erased(std::size_t index);

  /// Notes that a request starts; it is still in the line.
  void started(const queued_request& what, const start_choice& as, instant now);

  /// Returns the next request that may start behind the first one, which may not start now; `line`
  /// is not empty.
  std::optional<start_choice> next_behind_first(request_line& line, const capacity_pools& pools,
                                                instant now);

  /// Returns when the first request is expected to start, as of the last look.
  instant reserved_at() const { return shadow_; }

private:
  void reserve_first(const start_request& first, const capacity_pools& pools, instant now);
  void reserve_first_in_pools(const start_request& first, const capacity_pools& pools, instant now);
  bool keep_promise(const start_request& first, const capacity_pools& pools, instant now);
  std::optional<pool_counts> may_pass(const start_request& what, const capacity_pools& pools,
                                      const resource_sum& has_now, instant now) const;
  std::optional<pool_counts> shape_to_pass(start_request& what, const capacity_pools& pools,
                                           const resource_sum& has_now, instant now) const;

  width_rule widths_;
  bool changed_ = true;              ///< the reservation of the first is to be made again
  std::size_t looked_at_ = 0;        ///< so many have been found to have no turn since
  instant shadow_ = far_future;      ///< when the first one is expected to start
  resource_sum spare_;               ///< what it leaves then
  std::vector<resource_sum> spares_; ///< with windows: by pool
  task_id promised_to_;              ///< who was given `promise_`
  instant promise_ = far_future;
};

} // namespace troupe
