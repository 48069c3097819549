#include "jobs/service/attempts/node_reports.hpp"

#include <chrono>
#include <set>

namespace troupe {

work_answer node_reports::hear(const work_report& report, service_time now) {
  work_answer answer;
  book_ends(report, answer, now);
  if (!report.running.empty() && tables_.leases.hear(report.machine(), report.boot, now.steady))
    lose_missing(report, now);
  renew_running(report, answer, now);
  for (const auto& as : report.wants)
    answer.permits.push_back(grants_.permit(report, as, now));
  order_stops(report, answer);
  return answer;
}

void node_reports::book_ends(const work_report& report, work_answer& answer, service_time now) {
  for (const auto& end : report.ended) {
    const auto* const a = tables_.leases.find({end.which.job, end.which.task});
    if (a == nullptr || a->machine() == report.machine()) // no node ends what runs on another
      ends_.book(end, now);
    answer.seen.push_back(end.which);
  }
}

/// What an earlier process of the node was granted, and this one neither runs nor has told the end
/// of, does not run.
void node_reports::lose_missing(const work_report& report, service_time now) {
  const std::set<attempt_key> there(report.running.begin(), report.running.end());
  const auto tasks = tables_.leases.on(report.machine()); // a copy: ends change it
  for (const auto& task : tasks) {
    const auto& a = *tables_.leases.find(task);
    if (a.boot < report.boot && !there.contains(a.which))
      ends_.lose(a.which, end_reason::supervisor_lost,
                 "its node was started anew and does not have it", now);
  }
}

void node_reports::renew_running(const work_report& report, work_answer& answer, service_time now) {
  for (const auto& key : report.running) {
    auto* const a = tables_.leases.find({key.job, key.task});
    if (a == nullptr || a->which != key || a->machine() != report.machine()) {
      answer.stops.push_back({key, end_reason::lease, 0});
      continue;
    }
    tables_.leases.renew(*a, now.steady);
    answer.renewed.push_back(key);
    a->confirmed = true;
    if (report.boot > a->boot) {
      a->boot = report.boot;
      tables_.changes.write(*a);
    }
  }
}

void node_reports::order_stops(const work_report& report, work_answer& answer) {
  for (const auto& task : tables_.leases.on(report.machine())) {
    const auto& a = *tables_.leases.find(task);
    if (!a.stop) {
      if (a.is_uncertain(report.boot))
        answer.stops.push_back({a.which, end_reason::host_failed, 0});
      continue;
    }
    auto& j = *tables_.jobs.find(task.job);
    const auto grace = std::chrono::duration_cast<std::chrono::milliseconds>(
      j.spec.groups[j.group_of(task.task).number].grace);
    answer.stops.push_back({a.which, end_reason::cancelled, grace.count()});
  }
}

} // namespace troupe
