#pragma once

#include "actors/scheduler/recovery/task_locations.hpp"
#include "actors/scheduler/scheduler_tables.hpp"

#include <cstdint>
#include <map>
#include <ranges>
#include <utility>
#include <vector>

namespace troupe {

/// Books the reports of owners about ends of tasks: each report once, after the one before it, and
/// after the answer that granted its tasks. A report that comes too early is kept until then.
class owner_reports {
public:
  /// Reports of the session with an owner, by number.
  using kept_reports = std::map<std::uint64_t, task_report>;

  owner_reports(scheduler_tables& tables, task_locations& locations)
    : tables_(tables), locations_(locations), from_(tables.setup.owners()) {}

  /// The number up to which the reports of an owner have been booked.
  std::uint64_t seen(owner_id owner) const { return from_.at(owner).seen; }

  /// The number up to which an owner may forget its reports: if failures are watched, those are
  /// safe only that all job stores know of.
  std::uint64_t forgettable(owner_id owner) const {
    return tables_.failover ? tables_.failover->safe(owner) : seen(owner);
  }

  /// Books a report, or keeps it. One that was booked before changes nothing. Returns the number up
  /// to which the reports of its owner have been booked. Throws `std::out_of_range` if there is no
  /// such owner.
  std::uint64_t receive(const task_report& report) {
    auto& from = from_.at(report.owner);
    if (book(report))
      book_kept(report.owner);
    else if (report.number > from.seen)
      from.early.try_emplace(report.number, report);
    return from.seen;
  }

  /// Books the reports kept of an owner that are not too early any more.
  void book_kept(owner_id owner) {
    auto& early = from_[owner].early;
    while (!early.empty() && book(early.begin()->second))
      early.erase(early.begin());
  }

  /// Takes out all reports that are kept of an owner.
  kept_reports take_kept(owner_id owner) { return std::exchange(from_.at(owner).early, {}); }

  /// Begins a session with an owner, whose statement counts as its first report. Of the reports
  /// `kept`, those of earlier sessions mean nothing any more.
  void begin_session(owner_id owner, std::uint64_t session, kept_reports kept) {
    kept.erase(kept.begin(), kept.upper_bound(session + 1));
    from_.at(owner) = {session + 1, std::move(kept)};
    tables_.failover->begin_session(owner, session);
  }

  /// Notes that the statement that began the session with an owner has been booked.
  void statement_booked(owner_id owner) {
    tables_.failover->booked(owner, seen(owner));
    book_kept(owner);
  }

private:
  struct entry {
    std::uint64_t seen = 0;
    kept_reports early;
  };

  /// Returns false if it is too early.
  bool book(const task_report& report) {
    auto& seen = from_[report.owner].seen;
    if (report.number != seen + 1 || tables_.commits.awaits_answer(report))
      return false;
    ++seen;
    for (const auto& e : report.ends)
      locations_.end(e);
    for (const auto& gone : report.preempted | std::views::reverse) // the first one at the head
      locations_.preempt(gone);
    for (const auto& c : report.changes)
      tables_.capacities.change(c);
    if (tables_.failover)
      tables_.failover->booked(report.owner, report.number);
    return true;
  }

  scheduler_tables& tables_;
  task_locations& locations_;
  std::vector<entry> from_; ///< by owner
};

} // namespace troupe
