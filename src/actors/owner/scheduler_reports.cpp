#include "actors/owner/scheduler_reports.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace troupe {

scheduler_reports::outgoing scheduler_reports::reports(instant now) {
  outgoing out;
  for (scheduler_id s = 0; s < to_.size(); ++s)
    if (auto report = to_[s].report(now))
      out.emplace_back(s, std::move(*report));
  news_ = 0;
  return out;
}

scheduler_reports::outgoing scheduler_reports::overdue(instant now, duration patience) {
  outgoing out;
  for (scheduler_id s = 0; s < to_.size(); ++s)
    for (auto& report : to_[s].overdue(now, patience))
      out.emplace_back(s, std::move(report));
  return out;
}

std::vector<task_end> scheduler_reports::restart(scheduler_id scheduler, std::uint64_t base) {
  auto& to = to_.at(scheduler);
  std::vector<task_end> unknown;
  const auto add = [&unknown](const task_report& report) {
    std::ranges::copy_if(report.ends, std::back_inserter(unknown), [](const task_end& e) {
      return e.outcome == task_outcome::finished || e.outcome == task_outcome::failed;
    });
  };
  to.visit_unseen(add);
  add(to.next);
  news_ -= entries(to.next);
  to.restart(base);
  return unknown;
}

} // namespace troupe
