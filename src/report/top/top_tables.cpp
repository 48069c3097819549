#include "report/top/top_tables.hpp"

#include "report/text/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace troupe {

namespace {

/// A cell: what is shown, and by what it is sorted.
struct top_cell {
  std::string text;
  double value = 0;
  bool is_number = true;
};

using cell_row = std::vector<top_cell>;

/// A column: its name, and its width.
struct top_column {
  const char* name;
  int width;
  bool left = false;
};

const std::vector<top_column>& columns_of(top_table table) {
  static const std::vector<top_column> schedulers{
    {"#", 4},      {"group", 7, true}, {"policy", 13, true}, {"busy", 5}, {"queue", 6},
    {"oldest", 6}, {"placed/s", 8},    {"confl", 6},         {"view", 6}, {"state", 7, true}};
  static const std::vector<top_column> owners{{"#", 4},         {"machines", 9},   {"tasks", 9},
                                              {"use", 5},       {"granted", 9},    {"refused", 9},
                                              {"takeovers", 9}, {"state", 7, true}};
  static const std::vector<top_column> nodes{
    {"name", 12, true}, {"state", 9, true}, {"members", 8}, {"machines", 9},    {"tasks", 8},
    {"sent", 8},        {"memory", 8},      {"cpu", 8},     {"roles", 20, true}};
  static const std::vector<top_column> none;
  switch (table) {
  case top_table::schedulers:
    return schedulers;
  case top_table::owners:
    return owners;
  case top_table::nodes:
    return nodes;
  case top_table::events:
    break;
  }
  return none;
}

top_cell count_cell(std::uint64_t n) {
  return {n < 1'000'000 ? std::to_string(n) : compact_text(static_cast<double>(n)),
          static_cast<double>(n)};
}

top_cell number_cell(std::string text, double value) {
  return {std::move(text), value};
}

top_cell word(std::string text) {
  return {std::move(text), 0, false};
}

std::string age_text(double seconds) {
  return seconds <= 0    ? "-"
         : seconds < 1   ? fmt::format("{:.0f}ms", seconds * 1e3)
         : seconds < 100 ? fmt::format("{:.1f}s", seconds)
                         : fmt::format("{:.0f}s", seconds);
}

std::uint64_t sum(const cause_counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

cell_row row_of(const live_state& s, std::size_t i) {
  const auto& m = s.schedulers[i];
  const auto group = i < s.about.group_of.size() ? s.about.group_of[i] : 0;
  const auto seconds = s.series.recent().empty() ? 0 : s.series.recent().back().seconds();
  const auto placed = seconds > 0 ? static_cast<double>(m.placed) / seconds : 0;
  const auto conflicts = static_cast<double>(sum(m.conflicts));
  const auto share = m.placed > 0 ? conflicts / static_cast<double>(m.placed) : 0;
  return {
    count_cell(i),
    word(s.about.pool > 0 || group >= s.about.groups.size() ? "pool" : s.about.groups[group].name),
    word(m.policy),
    number_cell(fmt::format("{:.0f} %", m.busy * 100), m.busy),
    count_cell(m.queued),
    number_cell(age_text(m.oldest), m.oldest),
    number_cell(compact_text(placed), placed),
    number_cell(fmt::format(fmt::runtime(share < 0.1 ? "{:.2f}%" : "{:.0f}%"), share * 100), share),
    number_cell(age_text(m.age_mean), m.age_mean),
    word(to_string(m.life.state))};
}

cell_row owner_row_of(const live_state& s, std::size_t i) {
  const auto& o = s.owners[i];
  double use = 0;
  for (const auto& r : o.resources)
    use = std::max(use, r.utilization());
  return {count_cell(i),
          count_cell(o.machines),
          count_cell(o.running),
          number_cell(fmt::format("{:.0f} %", use * 100), use),
          count_cell(o.granted_sum),
          count_cell(o.refused_all),
          count_cell(o.life.takeovers),
          word(to_string(o.life.state))};
}

cell_row node_row_of(const live_state& s, std::size_t i) {
  const auto& n = s.nodes[i];
  return {word(n.name),
          word(to_string(n.state)),
          count_cell(n.members),
          count_cell(n.machines),
          count_cell(n.running),
          number_cell(compact_text(static_cast<double>(n.bytes_sent)) + "B",
                      static_cast<double>(n.bytes_sent)),
          number_cell(compact_text(static_cast<double>(n.memory_bytes)) + "B",
                      static_cast<double>(n.memory_bytes)),
          number_cell(fmt::format("{:.1f}s", n.cpu_seconds), n.cpu_seconds),
          word(fmt::format("{}", fmt::join(n.roles, ",")))};
}

std::vector<cell_row> cells_of(const live_state& s, top_table table) {
  std::vector<cell_row> rows;
  if (table == top_table::schedulers)
    for (std::size_t i = 0; i < s.schedulers.size(); ++i)
      rows.push_back(row_of(s, i));
  if (table == top_table::owners)
    for (std::size_t i = 0; i < s.owners.size(); ++i)
      rows.push_back(owner_row_of(s, i));
  if (table == top_table::nodes)
    for (std::size_t i = 0; i < s.nodes.size(); ++i)
      rows.push_back(node_row_of(s, i));
  return rows;
}

std::string line_of(const std::vector<top_column>& of, const cell_row& cells) {
  std::string line;
  for (std::size_t c = 0; c < of.size(); ++c) {
    const auto text = fit(cells[c].text, static_cast<std::size_t>(of[c].width));
    line += fmt::format(fmt::runtime(of[c].left ? "{:<{}} " : "{:>{}} "), text, of[c].width);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

const char* why_empty(const live_state& s, top_table table, bool filtered) {
  if (filtered)
    return "No row has the text of the filter; / and Esc forget it.";
  if (table == top_table::owners && s.about.owners == 0 && !s.about.run.empty())
    return "Schedulers probe machines here: there are no partition owners.";
  if (table == top_table::nodes)
    return "This is no cluster of nodes.";
  return "No member is known yet: the workload has not begun.";
}

} // namespace

std::size_t top_columns(top_table table) {
  return columns_of(table).size();
}

top_text_table top_rows(const live_state& state, top_table table, std::size_t sort,
                        const std::string& filter) {
  const auto& of = columns_of(table);
  auto rows = cells_of(state, table);
  const bool filtered = !filter.empty() && !rows.empty();
  if (sort > 0 && sort < of.size())
    std::ranges::stable_sort(rows, [&](const cell_row& a, const cell_row& b) {
      return a[sort].is_number ? a[sort].value > b[sort].value : a[sort].text < b[sort].text;
    });
  top_text_table text;
  text.why_empty = why_empty(state, table, filtered);
  cell_row names;
  for (std::size_t c = 0; c < of.size(); ++c)
    names.push_back(word(std::string{of[c].name} + (sort > 0 && c == sort ? "*" : "")));
  text.header = line_of(of, names);
  for (const auto& row : rows)
    if (auto line = line_of(of, row); line.find(filter) != std::string::npos)
      text.rows.push_back(std::move(line));
  return text;
}

} // namespace troupe
