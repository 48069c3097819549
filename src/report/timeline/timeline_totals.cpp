#include "report/timeline/timeline.hpp"
#include "report/timeline/timeline_tracks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

// What is about the whole cluster: counters, failures, policies, phases. It does not count against
// the limit.
namespace troupe {

void timeline::add(const interval_record& row) {
  if (!filter_.covers(row.to))
    return;
  auto& sum = totals_[row.to];
  sum.length = row.to - row.from;
  sum.tasks += row.sample.tasks;
  sum.conflicts += row.sample.conflicts;
  sum.utilization = row.utilization;
  sum.age.merge(row.sample.age);
}

void timeline::draw_totals() {
  for (const auto& [at, s] : totals_) {
    const auto seconds = to_seconds(s.length);
    const auto when = at;
    const auto value = [&](std::string_view name, double x) {
      events_.counter(timeline_process::cluster, name, "value", when, x);
    };
    value("tasks queued", static_cast<double>(s.tasks.queued));
    value("tasks in commit", static_cast<double>(s.tasks.in_commit));
    value("tasks running", static_cast<double>(s.tasks.running));
    value("utilization", s.utilization);
    if (seconds > 0) {
      value("tasks placed per s", static_cast<double>(s.tasks.placed) / seconds);
      value("conflicts per s", static_cast<double>(s.conflicts) / seconds);
    }
    if (s.age.seconds > 0)
      value("staleness in s", s.age.mean());
  }
}

void timeline::draw_on_machine(const run_event& event) {
  constexpr std::string_view role = "machine.";
  if (!event.member.starts_with(role) || !filter_.covers(event.at))
    return;
  std::uint32_t number = 0;
  const auto* last = event.member.data() + event.member.size();
  const auto [end, error] = std::from_chars(event.member.data() + role.size(), last, number);
  if (error != std::errc{} || end != last || !filter_.machines.contains(number))
    return;
  const auto process = timeline_process::machines + number;
  events_.name_process(process, fmt::format("machine {}", number));
  events_.name_thread({process, 1}, "lane 1"); // where no task ran there
  events_.mark({process, 1},
               event.event == run_event_kind::end ? "end of " + event.detail
                                                  : to_string(event.event),
               event.at, false);
}

void timeline::draw_events(const run_results& results) {
  const auto mark = [&](const std::string& what, instant at) {
    if (!filter_.covers(at))
      return;
    events_.name_process(timeline_process::master, "master");
    events_.name_thread({timeline_process::master, 1}, "master");
    events_.mark({timeline_process::master, 1}, what, at, true);
  };
  const auto end = results.simulated;
  for (std::size_t i = 1; i < results.phases.size(); ++i)
    if (results.phases[i].from < end)
      mark(fmt::format("phase {}", i + 1), results.phases[i].from);
  for (const auto& change : results.policy_changes)
    mark("policy of " +
           (change.group < results.groups.size() ? results.groups[change.group].name : "") + ": " +
           change.to,
         change.at);
  for (const auto& e : results.events) {
    if (e.event == run_event_kind::takeover)
      mark("takeover of " + e.member + " by " + e.detail, e.at);
    else if (e.event == run_event_kind::end)
      mark("end of " + e.detail + ' ' + e.member, e.at);
    else
      mark(to_string(e.event) + ' ' + e.member, e.at);
    draw_on_machine(e);
  }
}

} // namespace troupe
