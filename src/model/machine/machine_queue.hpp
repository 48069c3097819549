#pragma once

#include "model/machine/queue_discipline.hpp"
#include "model/protocol/sparrow_protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace troupe {

/// The entries that wait on one machine: reservations and tasks (Ousterhout et al., Sparrow, SOSP
/// 2013, sections 3 and 4.2). No entry overtakes the head of the queue because it asks for less.
///
/// Weighted fair sharing is stride scheduling (Waldspurger, Weihl: Stride Scheduling, 1995): each
/// tenant has a pass that grows by 1 / weight with each of its tasks, and the least pass goes
/// first. A tenant that returns after a pause starts at the pass of the others: pauses earn no
/// credit.
class machine_queue {
public:
  /// `weights` are those of the tenants and must outlive the queue; a tenant without one has weight
  /// 1.
  machine_queue(queue_discipline discipline, std::span<const double> weights)
    : discipline_(discipline), weights_(weights) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(const queue_entry& entry);

  /// The next entry, or null if the queue is empty. Valid until the queue is changed.
  const queue_entry* head() const;

  /// Removes the head. Under weighted fair sharing its tenant is charged for a task.
  queue_entry pop();

  /// Refunds a tenant the charge for a task that did not come.
  void refund(std::uint32_t tenant);

  /// Removes the reservations of a job. Returns their number.
  std::size_t cancel(scheduler_id scheduler, job_id job);

  /// Removes all entries of a scheduler.
  void drop(scheduler_id scheduler);

  /// Takes the tasks out that an owner has granted.
  void drop_granted();

  /// Removes the entries of schedulers that ask for more than `capacity`. Returns them.
  std::vector<queue_entry> take_unfit(const resources& capacity);

  /// Returns whether a scheduler has any entry here.
  bool holds(scheduler_id scheduler) const;

  /// Removes a task. Returns nothing if it does not wait here.
  std::optional<launch_order> remove(const task_id& task);

  /// Removes the entries of short jobs that wait behind a long task: the first run of entries in
  /// order of arrival that follows a granted one, or the head if `long_runs`, up to the next
  /// granted one (Delgado et al., Hawk, USENIX ATC 2015, section 3.6).
  std::vector<queue_entry> take_behind_long(bool long_runs);

private:
  // The entries of one priority or one tenant; all entries if the queue is first in, first out.
  // Removed entries stay in front of `first` until there are enough of them to clean up.
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
  double pass_ = 0;         ///< of the tenant that was served last
  std::size_t size_ = 0;
};

} // namespace troupe
