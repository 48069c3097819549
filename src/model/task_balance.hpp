#pragma once

#include "model/failure_protocol.hpp"
#include "model/metrics.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// Whether every task is in exactly one place, found out from figures that each party counts on its
/// own: what job stores have accepted and know to be over, what schedulers hold in their queues and
/// have not been answered for. No figure is the difference of two others.
namespace troupe {

/// What a job store has handed to the present life of one scheduler, in tasks.
struct handed_tasks {
  scheduler_id scheduler = 0;
  incarnation life = 0;
  std::uint64_t given = 0;       ///< handed over
  std::uint64_t unconfirmed = 0; ///< of these, the scheduler has not said that it has them
  std::uint64_t heard = 0;       ///< of these, the scheduler has said that they are over
};

/// What a job store tells of all of its tasks.
struct store_account {
  std::uint32_t store = 0;
  std::uint64_t tasks = 0; ///< accepted
  std::uint64_t over = 0;
  std::vector<handed_tasks> handed{}; ///< one for each of its schedulers
};

/// What the present life of a scheduler knows of the tasks that one job store has handed to it.
struct taken_tasks {
  std::uint32_t store = 0;
  std::uint64_t taken = 0;
  std::uint64_t over = 0;
  std::uint64_t untold = 0; ///< of these, the store has not confirmed that it knows
  std::uint64_t left = 0;   ///< of what was taken: by an earlier life, and not taken over yet
};

/// Where the tasks of a scheduler are, counted in the containers that hold them.
struct task_places {
  bool told = false; ///< a scheduler need not count
  std::uint64_t queued = 0;
  std::uint64_t in_commit = 0;
  std::uint64_t running = 0;
  std::vector<taken_tasks> stores{}; ///< where failures are watched
};

/// What a scheduler tells of its tasks.
struct scheduler_account {
  incarnation life = 0;
  task_places places;
  task_counts counted{}; ///< what it has counted from event to event, as of now
};

/// What all of them say together.
struct task_balance {
  std::uint64_t submitted = 0;
  std::uint64_t queued = 0;
  std::uint64_t in_commit = 0;
  std::uint64_t running = 0;
  std::uint64_t over = 0;       ///< as job stores know
  std::uint64_t on_the_way = 0; ///< to a scheduler, or their ends to a job store
  std::uint64_t unheard = 0;    ///< of schedulers that do not answer
  std::string wrong{};          ///< what does not add up first; empty if all does
};

/// Returns the balance of what schedulers, by number, and the job stores say.
///
/// A task that is handed over, or whose end is told, is on the way for a moment, so that two
/// parties need not agree. How many may be is known: what has not been confirmed. `stores` must
/// have told before the schedulers, and `later` after them; nothing may have been submitted in
/// between. Without `later` only that is judged which holds at any time.
task_balance balance_of(const std::vector<store_account>& stores,
                        const std::map<scheduler_id, scheduler_account>& schedulers,
                        const std::vector<store_account>* later);

} // namespace troupe
