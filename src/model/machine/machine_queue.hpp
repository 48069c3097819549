#pragma once

#include "model/machine/queue_discipline.hpp"
#include "model/protocol/sparrow_protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
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

  /// The same for the first entry that `may` be taken, if there is one: others stay where they are.
  template <class May>
  const queue_entry* head_of(May may) const {
    const auto at = find(may);
    return at ? &lanes_[at->lane].entries[at->entry] : nullptr;
  }
  template <class May>
  std::optional<queue_entry> pop_of(May may) {
    const auto at = find(may);
    return at ? std::optional{pop(*at)} : std::nullopt;
  }

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

  /// Removes the reservations of which this holds, and returns them.
  template <class Predicate>
  std::vector<queue_entry> take_reservations(Predicate which) {
    std::vector<queue_entry> taken;
    for (auto& l : lanes_)
      for (auto i = l.first; i < l.entries.size();)
        if (l.entries[i].kind == entry_kind::reservation && which(l.entries[i])) {
          taken.push_back(l.entries[i]);
          l.erase(i);
          --size_;
        } else {
          ++i;
        }
    return taken;
  }

  /// Returns whether a scheduler has any entry here.
  bool holds(scheduler_id scheduler) const;

  /// Removes a task. Returns nothing if it does not wait here.
  std::optional<launch_order> remove(const task_id& task);

  /// Removes the entries of short jobs that wait behind a long task: the first run of entries in
  /// order of arrival that follows a granted one, or the head if `long_runs`, up to the next
  /// granted one (Delgado et al., Hawk, USENIX ATC 2015, section 3.6).
  std::vector<queue_entry> take_behind_long(bool long_runs) {
    return take_behind_long(long_runs, [](const queue_entry&) { return true; });
  }

  /// The same of those that `may` be taken; others stay.
  std::vector<queue_entry> take_behind_long(bool long_runs,
                                            const std::function<bool(const queue_entry&)>& may);

private:
  // The entries of one priority or one tenant; all entries if the queue is first in, first out.
  // Removed entries stay in front of `first` until there are enough of them to clean up.
  struct lane {
    std::int64_t key = 0;
    double pass = 0;
    std::vector<queue_entry> entries{};
    std::size_t first = 0;

    bool empty() const { return first == entries.size(); }

    void erase(std::size_t i) {
      entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
      if (empty()) {
        entries.clear();
        first = 0;
      }
    }
  };

  struct place {
    std::size_t lane = 0;
    std::size_t entry = 0;
  };

  /// The first entry that may be taken, in the lane that would be next if there were no others.
  template <class May>
  std::optional<place> find(May may) const {
    std::optional<place> found;
    for (std::size_t l = 0; l < lanes_.size(); ++l) {
      if (found &&
          (discipline_ != queue_discipline::fair || lanes_[found->lane].pass <= lanes_[l].pass))
        continue;
      for (auto i = lanes_[l].first; i < lanes_[l].entries.size(); ++i)
        if (may(lanes_[l].entries[i])) {
          found = place{l, i};
          break;
        }
    }
    return found;
  }

  lane& lane_of(const queue_entry& entry);
  std::size_t next_lane() const;
  queue_entry pop(const place& at);
  queue_entry pop_first(lane& from);
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
