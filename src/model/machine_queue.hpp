#pragma once

#include "model/sparrow_protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace troupe {

/// Whose turn it is in a machine's queue.
enum class queue_discipline : std::uint8_t {
  fifo,     ///< first in, first out
  priority, ///< strictly by priority; first in, first out among equals
  fair,     ///< between tenants by their weights; first in, first out within each
};

/// What waits on one machine: reservations and tasks (Ousterhout et al., Sparrow, SOSP 2013,
/// sections 3 and 4.2). Nobody overtakes the head of the queue because it asks for less.
///
/// Weighted fair sharing is stride scheduling (Waldspurger, Weihl: Stride Scheduling, 1995): each
/// tenant has a pass that grows by 1 / weight for every task of it, and the least pass goes first.
/// A tenant that comes back after a pause starts where the others are: pauses earn no credit.
class machine_queue {
public:
  /// `weights` are the tenants' and must outlive the queue; a tenant without one weighs 1.
  machine_queue(queue_discipline discipline, std::span<const double> weights)
    : discipline_(discipline), weights_(weights) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(const queue_entry& entry);

  /// The entry whose turn it is, or null if there is none. Valid until the queue is changed.
  const queue_entry* head() const;

  /// Takes the head out. Under weighted fair sharing its tenant is charged for a task.
  queue_entry pop();

  /// Gives a tenant back what it was charged for a task that did not come.
  void refund(std::uint32_t tenant);

  /// Takes the reservations of a job out. Returns how many there were.
  std::size_t cancel(scheduler_id scheduler, job_id job);

  /// Takes whatever a scheduler has put here out.
  void drop(scheduler_id scheduler);

  /// Returns whether a scheduler has anything here.
  bool holds(scheduler_id scheduler) const;

  /// Takes a task out. Returns nothing if it does not wait here.
  std::optional<launch_order> remove(const task_id& task);

  /// Takes out what short jobs have waiting behind a long task: the first run of entries in their
  /// order of coming that follows a granted one, or the head if `long_runs`, up to the next granted
  /// one (Delgado et al., Hawk, USENIX ATC 2015, section 3.6).
  std::vector<queue_entry> take_behind_long(bool long_runs);

private:
  // What is waiting of one priority or one tenant; all of it where the queue is first in, first
  // out. What has been taken out stays in front of `first` until there is enough of it to clean up.
  struct lane {
    std::int64_t key = 0;
    double pass = 0;
    std::vector<queue_entry> entries{};
    std::size_t first = 0;

    bool empty() const { return first == entries.size(); }
  };

  lane& lane_of(const queue_entry& entry);
  std::size_t next_lane() const;
  double stride(std::int64_t tenant) const;

  template <class Predicate>
  std::size_t erase_if(Predicate dead);

  queue_discipline discipline_;
  std::span<const double> weights_;
  std::vector<lane> lanes_; ///< by key; greatest priority first
  double pass_ = 0;         ///< of whoever was served last
  std::size_t size_ = 0;
};

} // namespace troupe
