#pragma once

#include "model/discipline/capacity_pools.hpp"
#include "model/discipline/easy_backfill.hpp"
#include "model/discipline/pool_profiles.hpp"
#include "model/discipline/request_line.hpp"
#include "model/discipline/shape_choice.hpp"
#include "model/discipline/start_discipline.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace troupe {

/// The reservations of all requests under conservative backfilling (Mu'alem and Feitelson, IEEE
/// TPDS 12(6), 2001), and which request starts. `start_queue` describes the rules.
class conservative_backfill {
public:
  conservative_backfill(const capacity_pools& pools, std::span<const resource> kinds, width_rule by)
    : profiles_(pools, kinds), widths_(by) {}

  void choose_widths(width_rule by) { widths_ = by; }

  // -- what there is and runs -----------------------------------------------------------------

  /// Notes that the capacity of a pool is about to change.
  void change_capacity(const capacity_pools& pools, std::uint32_t pool, const resource_sum& own,
                       const resource_sum& others, instant now);

  /// Notes that a task runs, does not run any more, or that it runs is taken back.
  void begin_run(const capacity_pools::pool_run& run, instant now);
  void end_run(const capacity_pools::pool_run& run, instant now);
  void take_back_run(const capacity_pools::pool_run& run, instant now);

  // -- reservations ---------------------------------------------------------------------------

  /// Gives a request that is not in the line yet its first reservation, after those of the line
  /// have moved forward.
  void admit(queued_request& added, request_line& line, const capacity_pools& pools, instant now);

  /// Notes that a request leaves the line without a start.
  void withdraw(const queued_request& what, instant now);

  /// Notes that a request starts: its tasks run by now.
  void started(const queued_request& what) { profiles_.add_reservation(what); }

  /// Gives back the reservation of a request, lets `change(what)` change the request, and makes
  /// another one.
  template <class Change>
  void reserve_changed(queued_request& what, const capacity_pools& pools, instant now,
                       Change change) {
    profiles_.add_reservation(what);
    what.start = far_future;
    change(what);
    reserve(what, pools, now);
  }

  /// Notes that a request gives back a part of its reservation, which others may use.
  void gave_back() { may_move_ = true; }

  // -- who starts -----------------------------------------------------------------------------

  std::optional<start_choice> next(request_line& line, const capacity_pools& pools, instant now);

  /// Returns the first reservation that was not due at the last look.
  instant next_due() const { return soonest_; }

private:
  void hold(queued_request& e, instant start);
  void reserve(queued_request& e, const capacity_pools& pools, instant now);
  void reserve_no_later(queued_request& e, const capacity_pools& pools, instant now);
  void reserve_shape(queued_request& e, const capacity_pools& pools, instant now);
  void move_forward(request_line& line, const capacity_pools& pools, instant now);
  void move_shape_forward(queued_request& e, const capacity_pools& pools, instant now);
  std::optional<shape_choice::offer> best_shape(queued_request& e, const capacity_pools& pools,
                                                instant now, pool_counts& where) const;
  void reserve_all_again(request_line& line, const capacity_pools& pools, instant now);
  void reserve_closed_again(request_line& line, const capacity_pools& pools, instant now);

  pool_profiles profiles_;
  width_rule widths_;
  bool may_move_ = false;        ///< reservations may be moved forward
  bool shrunk_ = false;          ///< there is less in all than when they were made
  instant soonest_ = far_future; ///< the first reservation that was not due yet
  std::size_t due_ = 0;          ///< reservations that were, at the last look
};

} // namespace troupe
