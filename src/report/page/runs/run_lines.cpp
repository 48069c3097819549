#include "report/page/runs/run_lines.hpp"

#include <algorithm>
#include <limits>

namespace troupe {

namespace {

/// The columns of which the plots show rates.
constexpr const char* counted[] = {
  "submitted", "placed",      "finished",        "failed",         "lost",
  "abandoned", "conflicts",   "commits",         "retransmits",    "snapshots",
  "preempted", "offers_made", "offers_accepted", "offers_declined"};

std::vector<double> picked(const std::vector<double>& values,
                           const std::vector<std::size_t>& rows) {
  std::vector<double> out;
  out.reserve(rows.size());
  for (auto row : rows)
    out.push_back(values[row]);
  return out;
}

void add_rates(run_line& line) {
  const auto& from = line.columns["from_s"];
  for (const auto* name : counted) {
    const auto at = line.columns.find(name);
    if (at == line.columns.end())
      continue;
    auto rates = at->second;
    for (std::size_t i = 0; i < rates.size(); ++i)
      rates[i] /= line.x[i] - from[i];
    line.columns[std::string(name) + "_per_s"] = std::move(rates);
  }
}

/// Adds the conflicts per placement by cause.
void add_cause_shares(run_line& line) {
  const auto placed = line.columns["placed"];
  for (const auto* cause : {"taken", "changed", "gone", "moved"}) {
    const auto at = line.columns.find(std::string("conflicts_") + cause);
    if (at == line.columns.end())
      continue;
    auto shares = at->second;
    for (std::size_t i = 0; i < shares.size(); ++i)
      shares[i] = placed[i] > 0 ? shares[i] / placed[i] : std::numeric_limits<double>::quiet_NaN();
    line.columns[std::string("conflict_fraction_") + cause] = std::move(shares);
  }
}

std::vector<std::string> groups_of(const csv_columns& series) {
  std::vector<std::string> groups;
  for (const auto& group : series.text("group"))
    if (std::ranges::find(groups, group) == groups.end())
      groups.push_back(group);
  return groups;
}

run_line line_of(const run_folder& run, const std::string& group) {
  run_line line;
  line.group = group;
  std::vector<std::size_t> rows;
  const auto& all = run.series.text("group");
  for (std::size_t row = 0; row < all.size(); ++row)
    if (all[row] == group)
      rows.push_back(row);
  for (const auto& [name, values] : run.series.numbers)
    line.columns[name] = picked(values, rows);
  line.x = line.columns["to_s"];
  add_rates(line);
  add_cause_shares(line);
  return line;
}

} // namespace

std::vector<run_line> lines_of(std::span<const run_folder> runs) {
  std::vector<run_line> lines;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto groups = groups_of(runs[r].series);
    for (const auto& group : groups) {
      auto line = line_of(runs[r], group);
      line.run = r;
      line.label = runs.size() == 1    ? group
                   : groups.size() > 1 ? runs[r].label + ", " + group
                                       : runs[r].label;
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

} // namespace troupe
