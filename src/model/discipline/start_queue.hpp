#pragma once

#include "model/cluster/machine_windows.hpp"
#include "model/discipline/availability_profile.hpp"
#include "model/discipline/expected_runs.hpp"
#include "model/discipline/shape_choice.hpp"
#include "model/discipline/start_discipline.hpp"
#include "model/discipline/start_rank.hpp"
#include "model/discipline/start_request.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace troupe {

/// The waiting requests in the order of a queue, and the ones that a discipline lets start. It
/// counts free resources as sums over all machines; its caller finds the machines.
///
/// - fcfs: the first request only.
/// - easy: the first one; if that has no room, it has a reservation at the earliest instant at
///   which it is expected to fit. A later request may start if it is expected to have ended by
///   then, or takes only resources that the first one leaves at that instant (Lifka, JSSPP 1995;
///   Mu'alem and Feitelson, IEEE TPDS 12(6), 2001).
/// - conservative: each request gets a reservation on arrival, at the earliest instant that moves
///   no other reservation. When a run ends early, reservations that can move forward do so, one by
///   one in the order of the queue (likewise).
///
/// Runs that outlive their estimates count as over: a request that waits for their resources stays
/// first in turn, and starts when they are free. If other schedulers, whose ends are unknown, also
/// use the machines, their resources are expected to be free after the mean estimate of the
/// requests so far. A reservation moves back only if machines leave: if the sum of all resources is
/// then less than reserved, the reservations that are not due yet are made again. When a
/// reservation is due, no request that would take a part of it passes.
///
/// A moldable request (`start_request::shapes`) has the shape that the rule of widths chooses
/// (`shape_choice`), by expected starts and ends:
///
/// - fcfs, easy: the first request chooses again at each look, among its shapes now and at the
///   instants at which it is expected to fit in them. It starts if the best one is now; its
///   reservation is that of the best one.
/// - easy: a later one chooses among the shapes in which it may start now. Under
///   `earliest_finish` it does not start if, by that, it would end later than if it began when the
///   first one is expected to start, in the shape that was requested.
/// - conservative: each chooses its reservation among the earliest ones of its shapes, when it
///   comes and whenever reservations are moved forward.
///
/// One for which no machines are found takes a narrower shape; with windows, it looks in all pools
/// that are open to it before.
///
/// Machines with windows are counted apart, by their class (`machine_windows`): each class is a
/// pool of its own. A request may use those pools that are open to its tenant from its start until
/// its expected end, for whole tasks; those that close soonest are used first.
class start_queue {
public:
  /// `kinds`: the kinds of resource that count. `by.use_of` may be set later. `windows`, if any,
  /// must outlive this.
  start_queue(start_discipline discipline, start_ordering by, std::span<const resource> kinds,
              const machine_windows* windows = nullptr);

  start_discipline discipline() const { return discipline_; }
  start_ordering& ordering() { return by_; }

  /// Sets how shapes of moldable requests are chosen.
  void choose_widths(width_rule by) { widths_ = by; }

  // -- what there is --------------------------------------------------------------------------

  /// Sets the resources that the known runs and the requests share, and those that other schedulers
  /// hold beside them.
  void set_capacity(const resource_sum& own, const resource_sum& others, instant now,
                    std::uint32_t pool = 0);

  /// Notes that a task runs on a machine of a pool, and is expected to end then.
  void begin_run(const task_id& task, const resources& demand, instant end, instant now,
                 std::uint32_t pool = 0);

  /// Notes that a task does not run any more, or was refused.
  void end_run(const task_id& task, instant now);

  /// Takes back that a task runs, which was said at this instant.
  void take_back_run(const task_id& task, instant now);

  /// What the runs in a pool hold together.
  const resource_sum& held(std::uint32_t pool = 0) const { return pools_[pool].runs.held(); }

  /// What is free now, in all pools.
  resource_sum free() const;

  /// Returns whether a request would find room, by the sums, if no other request waited.
  bool has_room(const start_request& what, instant now) const {
    return windows_ == nullptr ? holds_all(pools_.front().free(), what.need)
                               : pools_now(what, now, false).has_value();
  }

  // -- what waits -----------------------------------------------------------------------------

  void add(const start_request& what, instant now);

  /// Takes a request out. Returns false if it is not here.
  bool remove(const task_id& first, instant now);

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  /// Returns how many requests are before one; nothing if it is not here.
  std::optional<std::size_t> position_of(const task_id& first) const;

  /// Returns when a request is expected to start; `far_future` if that is not known. Only of
  /// requests that have a reservation.
  instant reserved_at(const task_id& first) const;

  /// Calls `visit(request)` for each, in the order of the queue.
  template <class Visit>
  void visit(Visit visit) const {
    for (const auto& e : entries_)
      visit(e.what);
  }

  // -- who starts -----------------------------------------------------------------------------

  /// Returns the next request that may start now, or nothing. It is to be answered with `started`
  /// or `has_no_place` before the next call.
  std::optional<start_request> next(instant now);

  /// Returns whether the request returned last may use one machine more of a pool. `use_pool` says
  /// that it does, or with -1 that it does not after all.
  bool may_use_pool(std::uint32_t pool) const { return windows_ == nullptr || left_[pool] > 0; }
  void use_pool(std::uint32_t pool, int machines) {
    if (windows_ != nullptr)
      left_[pool] -= static_cast<std::uint32_t>(machines);
  }

  /// The request returned last, until it is answered.
  const start_request& last() const { return entries_[returned_].what; }

  /// Returns when it is expected to end if it starts now. What starts a little later than reserved,
  /// as messages take time, is expected to end as if it had not: else it would end within the next
  /// reservation, and nothing could be placed across that instant.
  instant end_of_last(instant now) const;

  /// Returns when `next` is to be called again although nothing has changed, as a reservation
  /// begins; nothing if none does. To be called after `next` has returned nothing.
  std::optional<instant> next_due(instant now) const;

  /// Notes that the request returned last starts: takes it out. Its tasks run from now on; the
  /// caller says so of each with `begin_run` before.
  void started(instant now);

  /// Notes that no machines were found for the request returned last. It is returned again once
  /// something has ended, or by `try_again`; a moldable one in a narrower shape at once.
  void has_no_place(instant now);

  /// Has requests that found no place tried again.
  void try_again();

  /// Returns whether any request waits for that.
  bool any_without_place() const { return without_place_ > 0; }

private:
  struct entry {
    start_rank rank;
    start_request what;
    instant start = far_future;     ///< of its reservation
    bool no_place = false;          ///< since the last gain
    bool was_without_place = false; ///< at least once
  };

  /// Machines that are counted together.
  struct machine_pool {
    explicit machine_pool(std::span<const resource> kinds) : profile(kinds) {}

    resource_sum free() const { return resource_sum{capacity} -= runs.held(); }

    expected_runs runs;
    resource_sum capacity;
    resource_sum others;
    instant others_until{0};      ///< until when the profile counts what others hold
    availability_profile profile; ///< less runs and reservations; conservative only
  };

  /// Tasks of a request in each pool.
  using pool_counts = std::vector<std::uint32_t>;

  /// Where and when a request fits.
  struct pool_start {
    instant at = far_future;          ///< if it does not
    pool_counts counts{};             ///< with windows
    std::vector<resource_sum> free{}; ///< then, by pool, if runs alone count
  };

  std::size_t index_of(const task_id& first) const;
  void gain();
  void erase(std::size_t index);
  void sort_again(instant now);
  bool may_start(const entry& e, instant now);
  instant end_of(const entry& e, instant now) const;
  instant next_end(instant after) const;
  bool any_others() const;
  void note_opening(instant now);

  // several pools
  template <class Room>
  std::optional<pool_counts> choose_pools(const start_request& what, instant from, instant until,
                                          Room room) const;
  std::optional<pool_counts> pools_now(const start_request& what, instant now, bool spared) const;
  std::optional<pool_counts> pools_reserved(const start_request& what, instant at) const;
  pool_start first_in_runs(const start_request& what, instant now) const;
  pool_start first_in_profiles(const start_request& what, instant now, instant before) const;
  void reserve_first_in_pools(instant now);
  bool may_pass_in_pools(const start_request& what, instant now);
  void hold_in_pools(entry& e, instant now);
  void add_to_profiles(const entry& e, int sign);
  pool_counts open_pools(const entry& e, instant now) const;
  bool is_there(const entry& e) const;
  bool is_open(const entry& e, instant now) const;
  bool fits_reserved(const entry& e);
  void reserve_closed_again(instant now);

  // moldable requests
  start_rank rank_as_requested(const start_request& what, instant now) const;
  void shape_first(instant now);
  instant first_start(const start_request& what, instant now) const;
  bool shape_to_pass(entry& e, const resource_sum& has_now, instant now);
  void reserve_shape(entry& e, instant now);
  void move_shape_forward(entry& e, instant now);
  std::optional<shape_choice::offer> best_reservation(entry& e, instant now, pool_counts& where);
  bool look_wider(entry& e);
  bool make_narrower(entry& e, instant now);

  // easy
  void reserve_first(instant now);

  /// Returns whether a request behind the first one may start now. With windows, it notes where.
  bool may_pass(const start_request& what, const resource_sum& has_now, instant now) {
    if (windows_ != nullptr)
      return may_pass_in_pools(what, now);
    return holds_all(has_now, what.need) &&
           (end_after(now, what.length()) <= shadow_ || holds_all(spare_, what.need));
  }

  std::optional<std::size_t> next_of_easy(instant now);

  // conservative
  void reserve(entry& e, instant now);
  void hold(entry& e, instant start);
  void give_back(const entry& e);
  void move_forward(instant now);
  bool promises_too_much(instant now) const;
  void reserve_anew(instant now);
  std::optional<std::size_t> next_of_conservative(instant now);

  /// The time after which resources of other schedulers are expected to be free.
  duration others_hold_for() const;

  start_discipline discipline_;
  start_ordering by_;
  width_rule widths_ = width_rule::earliest_finish;
  const machine_windows* windows_;
  std::vector<machine_pool> pools_;               ///< by class of machines; one without windows
  std::deque<entry> entries_;                     ///< by rank
  std::unordered_map<task_id, start_rank> ranks_; ///< of those
  std::size_t returned_ = 0;                      ///< index of the last one returned
  std::size_t without_place_ = 0;
  instant sorted_at_{0};
  double lengths_ = 0; ///< sum of the known estimates, in s, of the requests so far
  std::uint64_t counted_ = 0;

  bool changed_ = true;         ///< the reservation of the first is to be made anew
  std::size_t looked_at_ = 0;   ///< so many have been found to have no turn since
  instant shadow_ = far_future; ///< when the first one is expected to start
  resource_sum spare_;          ///< what it leaves then
  task_id promised_to_;         ///< who was given `promise_`
  instant promise_ = far_future;

  bool may_move_ = false;        ///< reservations may be moved forward
  bool shrunk_ = false;          ///< there is less in all than when they were made
  instant soonest_ = far_future; ///< the first reservation that was not due yet
  std::size_t due_ = 0;          ///< reservations that were, at the last look

  // with windows
  std::vector<resource_sum> spares_;                  ///< `spare_`, by pool
  std::unordered_map<task_id, pool_counts> reserved_; ///< where reservations are
  pool_counts chosen_;                                ///< where the request returned last may start
  pool_counts left_;                                  ///< of these, what it has not used
  instant opening_{0};                                ///< the next end of a window
};

} // namespace troupe
