#pragma once

#include "model/discipline/availability_profile.hpp"
#include "model/discipline/expected_runs.hpp"
#include "model/discipline/start_discipline.hpp"
#include "model/discipline/start_rank.hpp"
#include "model/discipline/start_request.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>

namespace troupe {

/// What waits in the order of a queue, and which of it a discipline lets start. It counts what is
/// free in sums over all machines; its caller finds the machines.
///
/// - fcfs: the first request only.
/// - easy: the first one; if that has no room, it has a reservation at the earliest instant at
/// which
///   it is expected to fit. A later one may start if it is expected to have ended by then, or
///   takes only what the first one leaves of the resources at that instant (Lifka, JSSPP 1995;
///   Mu'alem and Feitelson, IEEE TPDS 12(6), 2001).
/// - conservative: each request has a reservation, made when it comes, at the earliest instant that
///   moves nobody else's. When a run ends early, those that can be moved forward are, one by one in
///   the order of the queue (likewise).
///
/// Runs that outlive their estimates count as over: who waits for their resources stays first in
/// turn, and starts when they are free. Where others use machines, too, whose ends are not known,
/// what they hold is expected to be free after the mean estimate of the requests so far. A
/// reservation, once made, never moves back: when it is due, nobody passes who would take a share
/// of it.
class start_queue {
public:
  /// `kinds`: the kinds of resource that count. `by.use_of` may be set later.
  start_queue(start_discipline discipline, start_ordering by, std::span<const resource> kinds);

  start_discipline discipline() const { return discipline_; }
  start_ordering& ordering() { return by_; }

  // -- what there is --------------------------------------------------------------------------

  /// Sets what the runs that are known and the requests share, and what others hold beside that.
  void set_capacity(const resource_sum& own, const resource_sum& others, instant now);

  /// Notes that a task runs that was not started from here, and is expected to end then.
  void begin_run(const task_id& task, const resources& demand, instant end, instant now);

  /// Notes that a task does not run any more, or was refused.
  void end_run(const task_id& task, instant now);

  /// Takes back that a task runs, which was said at this instant.
  void take_back_run(const task_id& task, instant now);

  const expected_runs& runs() const { return runs_; }

  /// What is free now.
  resource_sum free() const { return resource_sum{capacity_} -= runs_.held(); }

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
  /// something has ended, or by `try_again`.
  void has_no_place();

  /// Has requests that found no place tried again.
  void try_again();

  /// Returns whether any request waits for that.
  bool any_without_place() const { return without_place_ > 0; }

private:
  struct entry {
    start_rank rank;
    start_request what;
    instant start = far_future; ///< of its reservation
    bool no_place = false;      ///< since the last gain
  };

  std::size_t index_of(const task_id& first) const;
  void gain();
  void erase(std::size_t index);
  void sort_again(instant now);
  bool may_start(const entry& e) const;

  // easy
  void reserve_first(instant now);
  std::optional<std::size_t> next_of_easy(instant now);

  // conservative
  void reserve(entry& e, instant now);
  void hold(entry& e, instant start);
  void give_back(const entry& e);
  void move_forward(instant now);
  std::optional<std::size_t> next_of_conservative(instant now);

  /// After which time what others hold is expected to be free.
  duration others_hold_for() const;

  start_discipline discipline_;
  start_ordering by_;
  expected_runs runs_;
  resource_sum capacity_;
  resource_sum others_;
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

  availability_profile profile_; ///< less runs and reservations; conservative only
  instant others_until_{0};      ///< until when it counts what others hold
  bool may_move_ = false;        ///< reservations may be moved forward
  instant soonest_ = far_future; ///< the first reservation that was not due yet
  std::size_t due_ = 0;          ///< reservations that were, at the last look
};

} // namespace troupe
