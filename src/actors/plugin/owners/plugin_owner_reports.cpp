#include "actors/plugin/owners/plugin_owner_reports.hpp"

#include <algorithm>

namespace troupe {

void plugin_owner_reports::receive(const task_report& report) {
  auto& from = from_.at(report.owner);
  if (book(report))
    book_kept(report.owner);
  else if (report.number > from.seen)
    from.early.try_emplace(report.number, report);
}

void plugin_owner_reports::book_kept(owner_id owner) {
  auto& early = from_[owner].early;
  while (!early.empty() && book(early.begin()->second))
    early.erase(early.begin());
}

bool plugin_owner_reports::awaits_answer(const task_report& report) const {
  const auto waits = [&](const auto& of) {
    return tables_.books.jobs.is_at(of.task, plugin_jobs::place::in_commit) &&
           tables_.commits.is_pending(report.owner, of.task);
  };
  return std::ranges::any_of(report.ends, waits) || std::ranges::any_of(report.preempted, waits);
}

bool plugin_owner_reports::book(const task_report& report) {
  auto& seen = from_[report.owner].seen;
  if (report.number != seen + 1 || awaits_answer(report))
    return false;
  ++seen;
  for (const auto& e : report.ends)
    locations_.end(e);
  for (const auto& gone : report.preempted)
    locations_.preempt(gone);
  for (const auto& c : report.changes)
    room_.change(c);
  tables_.failover.booked(report.owner, report.number);
  return true;
}

void plugin_owner_reports::begin_session(owner_id owner, std::uint64_t session) {
  auto& [seen, early] = from_.at(owner);
  seen = session + 1;
  early.erase(early.begin(), early.upper_bound(seen));
  tables_.failover.begin_session(owner, session);
}

void plugin_owner_reports::statement_booked(owner_id owner) {
  tables_.failover.booked(owner, seen(owner));
  book_kept(owner);
}

} // namespace troupe
