#pragma once

#include "model/cluster/machine_windows.hpp"
#include "model/discipline/capacity_pools.hpp"
#include "model/discipline/conservative_backfill.hpp"
#include "model/discipline/easy_backfill.hpp"
#include "model/discipline/request_line.hpp"
#include "model/discipline/start_discipline.hpp"
#include "model/discipline/start_rank.hpp"
#include "model/discipline/start_request.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

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
  /// `kinds`: the kinds of resource that count. `windows`, if any, must outlive this.
  start_queue(start_discipline discipline, start_ordering by, std::span<const resource> kinds,
              const machine_windows* windows = nullptr);

  start_discipline discipline() const { return discipline_; }

  /// Sets how shapes of moldable requests are chosen.
  void choose_widths(width_rule by);

  // -- what there is --------------------------------------------------------------------------

  /// Sets what sizes of requests are shares of, in place of what the ordering says.
  void set_cluster(const resource_sum& has) { line_.set_cluster(has); }

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
  const resource_sum& held(std::uint32_t pool = 0) const { return pools_.held(pool); }

  /// What is free now, in all pools.
  resource_sum free() const { return pools_.free(); }

  /// Returns whether a request would find room, by the sums, if no other request waited.
  bool has_room(const start_request& what, instant now) const {
    return pools_.fit_now(what, now).has_value();
  }

  // -- what waits -----------------------------------------------------------------------------

  void add(const start_request& what, instant now);

  /// Takes a request out. Returns false if it is not here.
  bool remove(const task_id& first, instant now);

  std::size_t size() const { return line_.size(); }
  bool empty() const { return line_.empty(); }

  /// Returns how many requests are before one; nothing if it is not here.
  std::optional<std::size_t> position_of(const task_id& first) const { return line_.find(first); }

  /// Returns when a request is expected to start; `far_future` if that is not known. Only of
  /// requests that have a reservation.
  instant reserved_at(const task_id& first) const;

  /// Calls `visit(request)` for each, in the order of the queue.
  template <class Visit>
  void visit(Visit visit) const {
    for (const auto& e : line_)
      visit(e.what);
  }

  // -- who starts -----------------------------------------------------------------------------

  /// Returns the next request that may start now, or nothing. It is to be answered with `started`
  /// or `has_no_place` before the next call.
  std::optional<start_request> next(instant now);

  /// Returns whether the request returned last may use one machine more of a pool. `use_pool` says
  /// that it does, or with -1 that it does not after all.
  bool may_use_pool(std::uint32_t pool) const {
    return pools_.windows() == nullptr || left_[pool] > 0;
  }
  void use_pool(std::uint32_t pool, int machines) {
    if (pools_.windows() != nullptr)
      left_[pool] -= static_cast<std::uint32_t>(machines);
  }

  /// The request returned last, until it is answered.
  const start_request& last() const { return line_[returned_.index].what; }

  /// Returns when it is expected to end if it starts now (`expected_end`).
  instant end_of_last(instant now) const { return expected_end(line_[returned_.index], now); }

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
  bool any_without_place() const { return line_.any_without_place(); }

private:
  bool conservative() const { return discipline_ == start_discipline::conservative; }
  void gain();
  void erase(std::size_t index);
  void note_opening(instant now);
  std::optional<start_choice> choose(instant now);
  bool passes_nobody() const { return returned_.index == 0 || conservative(); }
  bool look_wider(queued_request& e) const;
  bool make_narrower(queued_request& e, instant now);

  start_discipline discipline_;
  width_rule widths_ = width_rule::earliest_finish;
  capacity_pools pools_;
  request_line line_;
  easy_backfill easy_{widths_};
  conservative_backfill conservative_;
  start_choice returned_; ///< the last one returned, and where it may start
  pool_counts left_;      ///< of that, what it has not used
  instant opening_{0};    ///< the next end of a window
};

} // namespace troupe
