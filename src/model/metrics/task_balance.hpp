#pragma once

#include "model/metrics/metrics.hpp"
#include "model/protocol/failure_protocol.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// Checks that every task is in exactly one place. It uses figures that each party counts
/// separately: the tasks that job stores have accepted, the ends that they know, the tasks in the
/// queues of schedulers, and those without an answer. No figure is the difference of two others.
namespace troupe {

/// The tasks that a job store has handed to the present incarnation of one scheduler.
struct handed_tasks {
  scheduler_id scheduler = 0;
  incarnation_id incarnation = 0;
  std::uint64_t given = 0;       ///< handed over
  std::uint64_t unconfirmed = 0; ///< of these, not acknowledged by the scheduler
  std::uint64_t heard = 0;       ///< of these, reported as over by the scheduler
};

/// The account of a job store of all its tasks.
struct store_account {
  std::uint32_t store = 0;
  std::uint64_t tasks = 0; ///< accepted
  std::uint64_t over = 0;
  std::vector<handed_tasks> handed{}; ///< one for each of its schedulers
};

/// The tasks that the present incarnation of a scheduler has received from one job store.
struct taken_tasks {
  std::uint32_t store = 0;
  std::uint64_t taken = 0;
  std::uint64_t over = 0;
  std::uint64_t untold = 0; ///< of these, not acknowledged by the store
  std::uint64_t left = 0;   ///< of `taken`: by an earlier incarnation, and not taken over yet
  /// Of `taken`: those that moldable jobs have got, if the store has not acknowledged it.
  std::uint64_t added = 0;
};

/// The numbers of a scheduler's tasks by place, counted in the containers that hold them.
struct task_places {
  bool told = false; ///< whether the scheduler has counted; it need not
  std::uint64_t queued = 0;
  std::uint64_t in_commit = 0;
  std::uint64_t running = 0;
  std::vector<taken_tasks> stores{}; ///< if failures are watched
};

/// The account of a scheduler of its tasks.
struct scheduler_account {
  incarnation_id incarnation = 0;
  task_places places;
  task_counts counted{}; ///< its running counts, as of now
};

/// The sum of all accounts.
struct task_balance {
  std::uint64_t submitted = 0;
  std::uint64_t queued = 0;
  std::uint64_t in_commit = 0;
  std::uint64_t running = 0;
  std::uint64_t over = 0;       ///< by the job stores
  std::uint64_t on_the_way = 0; ///< on the way to a scheduler, or their ends to a job store
  std::uint64_t unheard = 0;    ///< of schedulers that do not answer
  std::string wrong{};          ///< the first contradiction; empty if there is none
};

/// Returns the balance of the accounts of schedulers, by number, and of the job stores.
///
/// A task that is handed over, or whose end is reported, is on the way for a moment, so two parties
/// need not agree. Their difference is at most the number of unacknowledged tasks. `stores` must
/// have been taken before the accounts of the schedulers, and `later` after them; no job may have
/// been submitted in between. Without `later`, checks only the conditions that hold at any time.
task_balance balance_of(const std::vector<store_account>& stores,
                        const std::map<scheduler_id, scheduler_account>& schedulers,
                        const std::vector<store_account>* later);

} // namespace troupe
