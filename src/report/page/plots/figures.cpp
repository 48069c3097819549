#include "report/page/plots/figures.hpp"

#include "report/page/runs/thin.hpp"
#include "report/text/text.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace troupe {

namespace {

constexpr std::size_t figure_table_rows = 60;

/// Returns which rows a table shows: all of a few, else some at equal distances and the last.
std::vector<std::size_t> rows_shown(std::size_t rows) {
  std::vector<std::size_t> shown;
  for (const auto& bucket : buckets_of(rows, figure_table_rows))
    shown.push_back(bucket.end - 1);
  return shown;
}

std::string x_text(const figure& f, double x) {
  const auto name = static_cast<std::size_t>(std::max(x, 0.0));
  return !f.x_names.empty() && name < f.x_names.size() ? f.x_names[name]
                                                       : value_with_unit(x, f.x_unit);
}

html_table table_of(const figure& f, const figure_line& line) {
  const bool errors = !line.half_width.empty();
  html_table table{line.label, {f.x_axis, f.y_axis}, {}, false};
  if (errors)
    table.header.push_back("95 % interval, \u00b1");
  const bool band = !line.high.empty();
  if (band)
    table.header.insert(table.header.end(), {"least", "greatest"});
  for (auto i : rows_shown(line.x.size())) {
    std::vector<std::string> row{x_text(f, line.x[i]), value_with_unit(line.y[i], f.y_unit)};
    if (errors)
      row.push_back(value_with_unit(line.half_width[i], f.y_unit));
    if (band) {
      row.push_back(value_with_unit(line.low[i], f.y_unit));
      row.push_back(value_with_unit(line.high[i], f.y_unit));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

} // namespace

std::string value_with_unit(double x, std::string_view unit) {
  if (std::isnan(x))
    return "-";
  if (unit == "s")
    return x < 0 ? "-" + seconds_text(-x) : seconds_text(x);
  if (unit == "%")
    return percent_text(x);
  const bool whole = (x == std::floor(x) || x >= 1000) && x >= 0 && x < 1e15;
  const auto text = whole ? count_text(static_cast<std::uint64_t>(std::round(x))) : number_text(x);
  return unit.empty() ? text : fmt::format("{} {}", text, unit);
}

nlohmann::ordered_json figure_json(const figure& f) {
  auto lines = nlohmann::ordered_json::array();
  for (const auto& line : f.lines)
    lines.push_back({{"label", line.label},
                     {"x", line.x},
                     {"y", line.y},
                     {"group", line.group},
                     {"half_width", line.half_width},
                     {"low", line.low},
                     {"high", line.high},
                     {"low_of", line.low_of},
                     {"high_of", line.high_of},
                     {"paper", line.of_paper}});
  return {{"id", f.id},           {"title", f.title},         {"x_axis", f.x_axis},
          {"y_axis", f.y_axis},   {"x_unit", f.x_unit},       {"y_unit", f.y_unit},
          {"x_log", f.x_log},     {"y_log", f.y_log},         {"steps", f.steps},
          {"x_names", f.x_names}, {"lines", std::move(lines)}};
}

std::string figure_html(const figure& f) {
  std::string tables;
  for (const auto& line : f.lines)
    tables += to_html(table_of(f, line));
  return fmt::format("<figure id=\"figure-{}\" class=\"plot\"><h3>{}</h3><p class=\"axis\">{}</p>"
                     "<div class=\"canvas\"></div>\n{}{}</figure>\n",
                     f.id, escaped(f.title), f.y_axis == f.title ? "" : escaped(f.y_axis),
                     f.note.empty() ? "" : "<p class=\"note\">" + escaped(f.note) + "</p>",
                     folded("The data as a table", tables));
}

std::string heat_map_html(const heat_map& map) {
  double least = INFINITY;
  double greatest = -INFINITY;
  for (const auto& row : map.values)
    for (auto x : row) {
      least = std::fmin(least, x);
      greatest = std::fmax(greatest, x);
    }
  auto out =
    fmt::format("<figure class=\"plot\"><h3>{}</h3><p class=\"axis\">{} (down) over {} "
                "(across); the stronger the colour, the greater</p>\n<div class=\"table\"><table "
                "class=\"heat\"><thead><tr><td></td>",
                escaped(map.title), escaped(map.y_axis), escaped(map.x_axis));
  for (const auto& name : map.x_names)
    out += fmt::format("<th scope=\"col\">{}</th>", escaped(name));
  out += "</tr></thead><tbody>\n";
  for (std::size_t y = 0; y < map.values.size(); ++y) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(map.y_names[y]));
    for (auto x : map.values[y]) {
      const auto level = greatest > least ? (x - least) / (greatest - least) : 0.0;
      if (std::isnan(x))
        out += "<td>-</td>";
      else
        out += fmt::format("<td style=\"background:rgba(0,114,178,{:.2f});color:{}\">{}</td>",
                           0.05 + 0.95 * level, level > 0.55 ? "#fff" : "inherit",
                           value_with_unit(x, map.unit));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div></figure>\n";
}

} // namespace troupe
