#include "report/page/tables/marks_table.hpp"

#include "report/page/html.hpp"

#include <fmt/core.h>

namespace troupe {

namespace {

constexpr std::size_t most_machine_events = 100;
/// More marks are folded, and so are marks of phases alone.
constexpr std::size_t most_open_marks = 16;

std::string marks_table(const html_table& table, std::string_view title, std::string_view note,
                        bool open = false) {
  if (table.rows.empty())
    return "";
  return folded(title, fmt::format("<p class=\"note\">{}</p>\n{}", note, to_html(table)), open);
}

} // namespace

std::string marks_html(std::span<const run_folder> runs,
                       std::span<const std::vector<run_mark>> marks) {
  html_table numbered{"", {"mark", "time", "what"}, {}, true};
  html_table of_machines{"", {"time", "what"}, {}, true};
  std::size_t machine_events = 0;
  bool any_failure = false;
  for (std::size_t r = 0; r < marks.size(); ++r) {
    std::size_t number = 0;
    for (const auto& m : marks[r]) {
      any_failure = any_failure || (m.kind != "phase" && !m.of_machine);
      const auto time = fmt::format("{:.6g} s", m.at_s);
      auto* table = m.of_machine ? &of_machines : &numbered;
      if (m.of_machine && ++machine_events > most_machine_events)
        continue;
      table->rows.push_back({time, m.text});
      if (!m.of_machine)
        table->rows.back().insert(table->rows.back().begin(), std::to_string(++number));
      if (runs.size() > 1)
        table->rows.back().push_back(runs[r].label);
    }
  }
  if (runs.size() > 1)
    for (auto* table : {&numbered, &of_machines})
      table->header.push_back("run");
  return marks_table(numbered, fmt::format("Marks in the plots: {}", numbered.rows.size()),
                     "Grey lines are phases, dashed red ones failures, dotted green ones their "
                     "ends, blue ones takeovers, dashed purple ones changes of policies, "
                     "dashed light blue ones nodes that join or leave.",
                     any_failure && numbered.rows.size() <= most_open_marks) +
         marks_table(
           of_machines, fmt::format("Failures of machines and their ends: {}", machine_events),
           fmt::format("Short marks at the bottom of the plots.{}",
                       machine_events > most_machine_events
                         ? fmt::format(" The first {}; all are in events.csv.", most_machine_events)
                         : ""));
}

} // namespace troupe
