#include "experiments/pages/sweep_page.hpp"

#include "experiments/pages/metric_unit.hpp"
#include "settings/toml/duration_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace troupe {

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// Returns a setting's value as a number, durations in s.
std::optional<double> number_in_setting(const std::string& text) {
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error == std::errc{} && end == text.data() + text.size())
    return x;
  try {
    return to_seconds(parse_duration(text));
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

bool is_duration(const std::string& text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.back())) != 0;
}

/// The values of one varied setting, in their order.
std::vector<std::string> values_of(const sweep_table& t, std::size_t key) {
  std::vector<std::string> values;
  for (const auto& row : t.rows)
    if (std::ranges::find(values, row.values[key]) == values.end())
      values.push_back(row.values[key]);
  return values;
}

/// The horizontal axis of all figures: positions of the values of a setting.
struct sweep_axis {
  std::vector<std::string> values;
  std::vector<double> at; ///< of each value: the number, or its position if not all are numbers
  bool numbers = true;
  bool durations = true;
};

sweep_axis axis_of(const sweep_table& t, std::size_t key) {
  sweep_axis axis{values_of(t, key), {}};
  for (const auto& value : axis.values) {
    const auto x = number_in_setting(value);
    axis.numbers = axis.numbers && x;
    axis.durations = axis.durations && is_duration(value);
    axis.at.push_back(x.value_or(0));
  }
  if (!axis.numbers)
    for (std::size_t i = 0; i < axis.at.size(); ++i)
      axis.at[i] = static_cast<double>(i);
  return axis;
}

std::string label_of(const sweep_table& t, const sweep_table::row& row) {
  std::string label;
  for (std::size_t i = 0; i + 1 < t.keys.size(); ++i)
    label += (label.empty() ? "" : ", ") + t.keys[i] + " = " + row.values[i];
  return label.empty() ? "mean" : label;
}

/// Adds a point, and keeps the line ascending.
void add_point(figure_line& line, double x, const std::optional<estimate>& cell) {
  const auto at = std::ranges::lower_bound(line.x, x) - line.x.begin();
  line.x.insert(line.x.begin() + at, x);
  line.y.insert(line.y.begin() + at, cell ? cell->mean : no_number);
  line.half_width.insert(line.half_width.begin() + at,
                         cell && cell->half_width ? *cell->half_width : no_number);
}

figure figure_for(const sweep_table& t, std::size_t metric, const sweep_axis& axis) {
  const auto& label = t.metrics[metric].label;
  const auto& key = t.keys.back();
  figure f{"sweep-" + std::to_string(metric + 1), label, key, label};
  f.y_unit = metric_unit(t.metrics[metric].value);
  f.x_unit = axis.numbers && axis.durations ? "s" : "";
  if (!axis.numbers)
    f.x_names = axis.values;
  for (const auto& row : t.rows) {
    const auto name = label_of(t, row);
    auto line = std::ranges::find(f.lines, name, &figure_line::label);
    if (line == f.lines.end())
      line = f.lines.insert(f.lines.end(), {name, {}, {}});
    const auto at = std::ranges::find(axis.values, row.values.back()) - axis.values.begin();
    add_point(*line, axis.at[static_cast<std::size_t>(at)], row.cells[metric]);
  }
  if (f.lines.size() > most_lines)
    f.note = "The first " + std::to_string(most_lines) + " of " + std::to_string(f.lines.size()) +
             " combinations; the table has all.";
  return f;
}

/// The values of a setting, rising if they are numbers.
std::vector<std::string> rising_values(const sweep_table& t, std::size_t key) {
  auto axis = axis_of(t, key);
  if (axis.numbers)
    std::ranges::stable_sort(axis.values, {}, [](const std::string& value) {
      return number_in_setting(value).value_or(0);
    });
  return axis.values;
}

heat_map heat_map_for(const sweep_table& t, std::size_t metric) {
  heat_map map;
  map.title = t.metrics[metric].label;
  map.x_axis = t.keys[1];
  map.y_axis = t.keys[0];
  map.x_names = rising_values(t, 1);
  map.y_names = rising_values(t, 0);
  map.unit = metric_unit(t.metrics[metric].value);
  map.values.assign(map.y_names.size(), std::vector<double>(map.x_names.size(), no_number));
  for (const auto& row : t.rows) {
    const auto y = std::ranges::find(map.y_names, row.values[0]) - map.y_names.begin();
    const auto x = std::ranges::find(map.x_names, row.values[1]) - map.x_names.begin();
    if (row.cells[metric])
      map.values[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] =
        row.cells[metric]->mean;
  }
  return map;
}

} // namespace

page_contents sweep_page(const sweep_table& t, const std::string& name) {
  page_contents page;
  page.title = name + ", sweep";
  page.sentence = "Each of " + std::to_string(t.rows.size()) + " combinations of ";
  for (std::size_t i = 0; i < t.keys.size(); ++i)
    page.sentence += (i == 0 ? "" : i + 1 == t.keys.size() ? " and " : ", ") + t.keys[i];
  page.sentence += " ran with " + std::to_string(t.seeds) +
                   (t.seeds == 1 ? " seed." : " seeds; intervals are at 95 %.");
  const auto axis = axis_of(t, t.keys.size() - 1);
  for (std::size_t m = 0; m < t.metrics.size(); ++m) {
    page.figures.push_back(figure_for(t, m, axis));
    if (t.keys.size() == 2)
      page.heat_maps.push_back(heat_map_for(t, m));
  }
  const auto text = sweep_text(t);
  page.tables.push_back(
    {"Means over the seeds, with half the width of the 95 % confidence interval", text.header,
     text.rows});
  page.notes = t.problems;
  return page;
}

} // namespace troupe
