#include "hunt/chaos_page.hpp"

#include "report/text/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace troupe {

namespace {

/// Returns how many failures of each kind last at each time.
figure failures_figure(const chaos_outcome& outcome) {
  figure f{"failures", "Failures", "time (s)", "failures that last, by kind", "s", ""};
  f.steps = true;
  std::map<std::string, std::map<double, int>> changes;
  for (const auto& fault : outcome.faults) {
    if (fault.from > outcome.ended)
      continue;
    auto& of_kind =
      changes[fault.of_network() ? to_string(fault.kind)
                                 : to_string(fault.kind) + " " + to_string(fault.what)];
    ++of_kind[to_seconds(fault.from)];
    --of_kind[to_seconds(std::min(fault.to, outcome.ended))];
  }
  for (const auto& [kind, edges] : changes) {
    figure_line line{kind, {0}, {0}};
    for (const auto& [at, change] : edges) {
      if (at > line.x.back()) {
        line.x.push_back(at);
        line.y.push_back(line.y.back());
      }
      line.y.back() += change;
    }
    if (to_seconds(outcome.ended) > line.x.back()) {
      line.x.push_back(to_seconds(outcome.ended));
      line.y.push_back(line.y.back());
    }
    f.lines.push_back(std::move(line));
  }
  return f;
}

html_table table_of(const std::vector<std::string>& lines, std::string caption) {
  html_table table{std::move(caption), {}, {}, true};
  for (const auto& line : lines)
    table.rows.push_back({line});
  return table;
}

} // namespace

page_contents chaos_page(const chaos_outcome& outcome, const std::string& name,
                         const std::string& command) {
  page_contents page;
  page.title = fmt::format("{}, chaos, seed {}", name, outcome.seed);
  page.sentence = fmt::format("{} {} after {} tasks, {} starts on machines and {} messages: {}",
                              name, "ended at " + seconds_text(to_seconds(outcome.ended)),
                              count_text(outcome.tasks), count_text(outcome.starts),
                              count_text(outcome.messages), outcome.violation.value_or("passes"));
  std::vector<std::string> faults;
  for (const auto& fault : outcome.faults)
    faults.push_back(to_string(fault));
  page.tables.push_back(table_of(faults, "Failures"));
  page.tables.push_back(
    table_of(outcome.last_events,
             fmt::format("The last {} events before the end", outcome.last_events.size())));
  if (!outcome.faults.empty())
    page.figures.push_back(failures_figure(outcome));
  page.command = command;
  return page;
}

} // namespace troupe
