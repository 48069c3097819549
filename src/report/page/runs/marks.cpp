#include "report/page/runs/marks.hpp"

#include "model/metrics/results.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

double number_at(const json& of, const char* key) {
  return of.contains(key) && of[key].is_number() ? of[key].get<double>() : 0;
}

std::string text_at(const json& of, const char* key) {
  return of.contains(key) && of[key].is_string() ? of[key].get<std::string>() : "";
}

void add_phases(const json& summary, std::vector<run_mark>& marks) {
  std::set<double> begins;
  for (const auto& phase : summary["phases"])
    if (const auto from = number_at(phase, "from_s"); from > 0 && begins.insert(from).second)
      marks.push_back({from, "phase", fmt::format("phase {} begins", begins.size() + 1)});
}

void add_policies(const json& summary, std::vector<run_mark>& marks) {
  if (!summary.contains("policy_changes"))
    return;
  for (const auto& change : summary["policy_changes"])
    marks.push_back({number_at(change, "at_s"), "policy",
                     fmt::format("group {}: policy {} after {}", text_at(change, "group"),
                                 text_at(change, "to"), text_at(change, "from"))});
}

/// Nodes that go or come without a failure have marks of their own.
std::string kind_of_node_event(std::optional<run_event_kind> event) {
  return event == run_event_kind::node_lost   ? "failure"
         : event == run_event_kind::node_back ? "end"
                                              : "node";
}

void add_events(const csv_columns& events, std::vector<run_mark>& marks) {
  for (std::size_t i = 0; i < events.rows; ++i) {
    const auto& event = events.text("event")[i];
    const auto& member = events.text("member")[i];
    const auto& detail = events.text("detail")[i];
    const auto kind = choice_named<run_event_kind>(event);
    run_mark mark{events.number("at_s")[i], "failure", event + " " + member};
    if (kind == run_event_kind::end)
      mark = {mark.at_s, "end", fmt::format("end of {} {}", detail, member)};
    else if (kind == run_event_kind::takeover)
      mark = {mark.at_s, "takeover", fmt::format("{}: taken over by {}", member, detail)};
    else if (kind == run_event_kind::policy)
      mark = {mark.at_s, "policy", fmt::format("{}: policy {}", member, detail)};
    else if (event.starts_with("node "))
      mark = {mark.at_s, kind_of_node_event(kind),
              fmt::format("{}: {}, {}", event, member, detail)};
    mark.of_machine = member.starts_with("machine.") && !event.starts_with("node ");
    marks.push_back(std::move(mark));
  }
}

} // namespace

std::vector<run_mark> marks_of(const run_folder& run) {
  std::vector<run_mark> marks;
  add_phases(run.summary, marks);
  add_policies(run.summary, marks);
  add_events(run.events, marks);
  std::ranges::stable_sort(marks, {}, &run_mark::at_s);
  return marks;
}

} // namespace troupe
