#include "report/page/plots/page_data.hpp"

#include "report/page/runs/thin.hpp"
#include "report/text/text.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

/// Numbers of a page in all lines, of about ten bytes each.
constexpr std::size_t most_numbers = 200'000;
constexpr std::size_t plot_table_rows = 24;

const std::vector<double>* column_of(const run_line& line, std::string_view name) {
  const auto at = line.columns.find(name);
  return at == line.columns.end() ? nullptr : &at->second;
}

bool has_values(const run_line& line, std::string_view name) {
  const auto* const values = column_of(line, name);
  return values != nullptr &&
         std::ranges::any_of(*values, [](double x) { return std::isfinite(x) && x != 0; });
}

/// Returns how many points each series of some lines may have.
std::size_t points_for(std::span<const run_line> lines, std::span<const shown_plot> plots) {
  std::size_t columns = 1;
  for (const auto& p : plots)
    columns += p.series.size();
  std::size_t numbers = 0;
  std::size_t longest = 0;
  for (const auto& line : lines) {
    numbers += line.x.size() * columns;
    longest = std::max(longest, line.x.size());
  }
  if (numbers <= most_numbers && longest <= most_points)
    return most_points;
  const auto each = most_numbers / (3 * columns * std::max<std::size_t>(lines.size(), 1));
  return std::clamp<std::size_t>(each, 20, most_points);
}

/// Rounds to six significant digits, which are more than a plot shows.
json rounded(const std::vector<double>& values) {
  auto out = json::array();
  for (auto x : values)
    out.push_back(std::isfinite(x) ? json(std::stod(fmt::format("{:.6g}", x))) : json(nullptr));
  return out;
}

json line_json(const run_line& line, std::span<const shown_plot> plots, std::size_t points) {
  const auto buckets = buckets_of(line.x.size(), points);
  const bool thin = buckets.size() < line.x.size();
  json out{
    {"label", line.label}, {"run", line.run}, {"group", line.group}, {"rows", line.x.size()}};
  auto& x = out["x"] = json::array();
  for (const auto& bucket : buckets)
    x.push_back(line.x[bucket.end - 1]);
  out["columns"] = json::object();
  for (const auto& p : plots)
    for (const auto* series : p.series) {
      const std::string name(series->column);
      const auto* const values = column_of(line, name);
      if (!has_values(line, name))
        continue;
      if (!thin) {
        out["columns"][name] = *values;
        continue;
      }
      const auto of = thinned(*values, buckets);
      out["columns"][name] = rounded(of.mean);
      out["min"][name] = rounded(of.min);
      out["max"][name] = rounded(of.max);
    }
  return out;
}

json plot_json(const shown_plot& shown) {
  auto series = json::array();
  for (const auto* s : shown.series)
    series.push_back(
      {{"column", s->column}, {"label", s->label}, {"colour", s->colour}, {"dash", s->dash}});
  return {{"id", shown.what->id},
          {"title", shown.what->title},
          {"unit", shown.what->unit},
          {"log", shown.what->log},
          {"series", std::move(series)}};
}

json marks_json(std::span<const run_mark> marks) {
  auto out = json::array();
  for (const auto& m : marks)
    out.push_back({{"at", m.at_s}, {"kind", m.kind}, {"text", m.text}, {"small", m.of_machine}});
  return out;
}

html_table table_of(const shown_plot& shown, const run_line& line, bool captioned) {
  html_table table{captioned ? line.label : "", {"time"}, {}, false};
  const auto buckets = buckets_of(line.x.size(), plot_table_rows);
  std::vector<std::vector<double>> columns;
  for (const auto* s : shown.series)
    if (has_values(line, s->column)) {
      table.header.emplace_back(s->label);
      columns.push_back(thinned(*column_of(line, s->column), buckets).mean);
    }
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    std::vector<std::string> row{fmt::format("{:.6g} s", line.x[buckets[i].end - 1])};
    for (const auto& values : columns)
      row.push_back(value_with_unit(values[i], shown.what->unit));
    table.rows.push_back(std::move(row));
  }
  return table;
}

} // namespace

std::vector<shown_plot> shown_plots(std::span<const run_line> lines) {
  std::vector<shown_plot> out;
  for (const auto& p : plots()) {
    shown_plot shown{&p, {}};
    for (const auto& series : p.series)
      if (std::ranges::any_of(lines, [&](const auto& l) { return has_values(l, series.column); }))
        shown.series.push_back(&series);
    if (!shown.series.empty() || !p.otherwise.empty())
      out.push_back(std::move(shown));
  }
  return out;
}

json page_data(std::span<const run_line> lines, std::span<const shown_plot> plots,
               std::span<const std::vector<run_mark>> marks) {
  const auto points = points_for(lines, plots);
  json out{{"lines", json::array()}, {"plots", json::array()}, {"marks", json::array()}};
  for (const auto& line : lines)
    out["lines"].push_back(line_json(line, plots, points));
  for (const auto& p : plots)
    if (!p.series.empty())
      out["plots"].push_back(plot_json(p));
  for (const auto& of_run : marks)
    out["marks"].push_back(marks_json(of_run));
  return out;
}

std::string plot_html(const shown_plot& shown, std::span<const run_line> lines) {
  const auto& p = *shown.what;
  if (shown.series.empty())
    return fmt::format("<figure class=\"plot\"><h3>{}</h3><p class=\"empty\">Nothing to show: "
                       "{}.</p></figure>\n",
                       escaped(p.title), escaped(p.otherwise));
  std::string tables;
  std::size_t longest = 0;
  for (const auto& line : lines) {
    const auto table = table_of(shown, line, lines.size() > 1);
    if (table.header.size() > 1)
      tables += to_html(table);
    longest = std::max(longest, line.x.size());
  }
  if (longest > plot_table_rows)
    tables = "<p class=\"note\">Each row is the mean of several intervals. With JavaScript, the "
             "table has all points of the plot.</p>\n" +
             tables;
  return fmt::format(
    "<figure id=\"plot-{}\" class=\"plot\"><h3>{}</h3><p class=\"axis\">{}</p><div "
    "class=\"canvas\"></div>\n{}</figure>\n",
    p.id, escaped(p.title), escaped(p.axis), folded("The data as a table", tables));
}

std::string thinning_note(std::span<const run_line> lines, std::span<const shown_plot> plots) {
  const auto points = points_for(lines, plots);
  std::size_t longest = 0;
  for (const auto& line : lines)
    longest = std::max(longest, line.x.size());
  const auto shown = buckets_of(longest, points).size();
  if (shown == longest)
    return "";
  return fmt::format("{} rows are shown as {} points: the mean, the least and the greatest value "
                     "of {} rows each.",
                     count_text(longest), count_text(shown), (longest + points - 1) / points);
}

} // namespace troupe
