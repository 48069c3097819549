#pragma once

#include "actors/owner/report_channel.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace troupe {

/// What an owner has to tell schedulers: the ends and preemptions of their tasks and, if they need
/// it, the machines that leave, return and change. Each scheduler has a channel of its own.
class scheduler_reports {
public:
  using outgoing = std::vector<std::pair<scheduler_id, task_report>>;

  scheduler_reports(owner_id owner, std::uint32_t schedulers, bool tells_changes)
    : to_(schedulers, report_channel<task_report>{owner}), tells_changes_(tells_changes) {}

  bool tells_changes() const { return tells_changes_; }

  // News for the next reports. Unknown schedulers are ignored.

  void ended(scheduler_id scheduler, const task_end& end) {
    if (scheduler >= to_.size())
      return;
    to_[scheduler].next.ends.push_back(end);
    ++news_;
  }

  void preempted(scheduler_id scheduler, const preempted_task& task) {
    if (scheduler >= to_.size())
      return;
    to_[scheduler].next.preempted.push_back(task);
    ++news_;
  }

  void changed(const machine_change& change) {
    if (!tells_changes_)
      return;
    for (auto& to : to_)
      to.next.changes.push_back(change);
    news_ += to_.size();
  }

  /// Returns whether there are news that no report contains.
  bool has_news() const { return news_ > 0; }

  /// Returns a report for each scheduler with news.
  outgoing reports(instant now);

  /// Returns the reports whose acknowledgement is overdue, to be sent again.
  outgoing overdue(instant now, duration patience);

  bool has_unseen() const {
    return std::ranges::any_of(to_, [](const auto& to) { return to.has_unseen(); });
  }

  /// Records that a scheduler has received all reports up to a number.
  void seen(scheduler_id scheduler, std::uint64_t number, instant now) {
    to_.at(scheduler).seen(number, now, [this](const task_report& report) {
      if (collects_)
        seen_ends_.insert(seen_ends_.end(), report.ends.begin(), report.ends.end());
    });
  }

  /// Collects, from now on, the ends in the reports that schedulers have received.
  void collect_seen_ends() { collects_ = true; }
  std::vector<task_end> take_seen_ends() { return std::exchange(seen_ends_, {}); }

  /// Starts a session with a scheduler, in which reports are numbered from `base` + 1. Returns the
  /// ends that the scheduler may not know, except for lost and preempted tasks: it suffices that
  /// these do not run.
  std::vector<task_end> restart(scheduler_id scheduler, std::uint64_t base);

private:
  std::vector<report_channel<task_report>> to_; ///< by scheduler
  bool tells_changes_;
  bool collects_ = false;
  std::size_t news_ = 0; ///< in all channels
  std::vector<task_end> seen_ends_;
};

} // namespace troupe
