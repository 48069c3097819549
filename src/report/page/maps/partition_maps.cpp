#include "report/page/maps/partition_maps.hpp"

#include "report/page/maps/partition_grid.hpp"
#include "report/page/maps/png_image.hpp"
#include "report/page/plots/figures.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t table_intervals = 20;
constexpr std::size_t table_columns = 10;
constexpr std::size_t most_map_marks = 50;

/// One quantity of a map.
struct map_layer {
  const char* name;  ///< of the choice
  const char* title; ///< what a cell shows
  const char* unit;
  std::vector<double> (*values)(const partition_grid&);
  double greatest = 0; ///< the value of the darkest cell; 0: the greatest one
  bool warm = false;   ///< in vermillion; else blue
};

constexpr map_layer map_layers[] = {
  {"load", "share of the most used resource in use, at the end of each interval", "%",
   [](const partition_grid& g) { return g.load; }, 1},
  {"age", "mean age in the schedulers' views, at the end of each interval", "s",
   [](const partition_grid& g) { return g.age_mean; }},
  {"oldest view", "greatest age in any scheduler's view, at the end of each interval", "s",
   [](const partition_grid& g) { return g.age_max; }},
  {"conflicts", "placements that were refused, per second", "/s",
   [](const partition_grid& g) { return g.conflict_rate(); }, 0, true},
};

double greatest_of(const std::vector<double>& values) {
  double most = 0;
  for (auto x : values)
    most = std::fmax(most, x);
  return most;
}

bool any_known(const std::vector<double>& values) {
  return std::ranges::any_of(values, [](double x) { return !std::isnan(x); });
}

std::string image_of(const partition_grid& grid, const std::vector<double>& values, double greatest,
                     bool warm) {
  shaded_image image{grid.to.size(), {}, 0, 114, 178};
  if (warm)
    image.red = 213, image.green = 94, image.blue = 0;
  for (std::size_t p = 0; p < grid.first.size(); ++p)
    for (std::size_t t = 0; t < grid.to.size(); ++t) {
      const auto x = values[t * grid.first.size() + p];
      const auto share = greatest > 0 ? std::clamp(x / greatest, 0.0, 1.0) : 0.0;
      image.levels.push_back(
        std::isnan(x) ? shaded_image::none
                      : static_cast<std::uint8_t>(std::lround(share * shaded_image::darkest)));
    }
  return png_address(image);
}

std::string instant_text(double s, double end) {
  constexpr double hour = 3600;
  constexpr double many = 4 * hour;
  return end > many ? fmt::format("{:.4g} h", s / hour) : fmt::format("{:.6g} s", s);
}

/// Names the partitions of a column.
std::string column_text(const partition_grid& grid, std::size_t column) {
  const auto last =
    column + 1 < grid.first.size() ? grid.first[column + 1] - 1 : grid.partitions - 1;
  return last > grid.first[column] ? fmt::format("{:g} to {:g}", grid.first[column], last)
                                   : fmt::format("{:g}", last);
}

/// Returns where an instant is on the map, in percent of its width.
double place_of_instant(const partition_grid& grid, double at) {
  const auto t = static_cast<std::size_t>(std::ranges::lower_bound(grid.to, at) - grid.to.begin());
  if (t == grid.to.size())
    return 100;
  const auto within = std::clamp((at - grid.from[t]) / (grid.to[t] - grid.from[t]), 0.0, 1.0);
  return 100 * (static_cast<double>(t) + within) / static_cast<double>(grid.to.size());
}

std::string marks_over(const partition_grid& grid, std::span<const run_mark> marks) {
  std::string out;
  std::size_t shown = 0;
  for (const auto& m : marks)
    if (!m.of_machine && ++shown <= most_map_marks)
      out += fmt::format("<i class=\"{}\" style=\"left:{:.2f}%\" title=\"{}\"></i>", m.kind,
                         place_of_instant(grid, m.at_s), escaped(m.text));
  return out;
}

/// Names some instants that are round numbers, each below its place.
std::string instants_under(const partition_grid& grid) {
  const auto end = grid.to.back();
  constexpr double most_named = 7;
  double step = std::pow(10, std::floor(std::log10(end / most_named)));
  for (const auto factor : {2.0, 2.5, 2.0})
    if (end / step > most_named)
      step *= factor;
  std::string out;
  for (double at = 0; at <= end; at += step) {
    const auto place = place_of_instant(grid, at);
    const bool last = place > 97;
    out +=
      fmt::format("<span style=\"{}:{:.2f}%\"{}>{}</span>", last ? "right" : "left",
                  last ? 100 - place : place, last ? " class=\"last\"" : "", instant_text(at, end));
  }
  return out;
}

html_table coarse_table(const partition_grid& grid, const map_layer& layer) {
  const auto few = grid.coarser(table_intervals, table_columns);
  html_table table{fmt::format("{}: {}", layer.name, layer.title), {"until"}, {}, false};
  for (std::size_t p = 0; p < few.first.size(); ++p)
    table.header.push_back(column_text(few, p));
  const auto values = layer.values(few);
  for (std::size_t t = 0; t < few.to.size(); ++t) {
    auto& row = table.rows.emplace_back();
    row.push_back(instant_text(few.to[t], few.to.back()));
    for (std::size_t p = 0; p < few.first.size(); ++p)
      row.push_back(value_with_unit(values[t * few.first.size() + p], layer.unit));
  }
  return table;
}

/// The parts of a map that each of its quantities has.
struct map_parts {
  std::string choices;
  std::string layers;
  std::string tables;
};

void add_layer(map_parts& to, const partition_grid& grid, std::size_t map, std::size_t number,
               std::span<const run_mark> marks) {
  const auto& layer = map_layers[number];
  const auto values = layer.values(grid);
  if (!any_known(values))
    return;
  const auto greatest = layer.greatest > 0 ? layer.greatest : greatest_of(values);
  to.choices += fmt::format("<input type=\"radio\" name=\"map-{0}\" id=\"map-{0}-{1}\" "
                            "class=\"k{1}\"{2}><label for=\"map-{0}-{1}\">{3}</label>\n",
                            map, number, to.choices.empty() ? " checked" : "", layer.name);
  to.layers += fmt::format(
    "<div class=\"layer k{}\"><p class=\"axis\"><span class=\"what\">{}</span> <span "
    "class=\"scale\">{} <i class=\"{}\"></i> {}</span></p>\n"
    "<div class=\"area\"><div class=\"down\"><span>{:g}</span><span>{:g}</span></div>"
    "<div class=\"cells\" tabindex=\"0\"><img alt=\"{}, over time; the table below has the "
    "values\" src=\"{}\">{}</div><div class=\"across\">{}</div></div></div>\n",
    number, escaped(layer.title), value_with_unit(0, layer.unit), layer.warm ? "warm" : "cool",
    value_with_unit(greatest, layer.unit), grid.first.front(), grid.partitions - 1,
    escaped(layer.title), image_of(grid, values, greatest, layer.warm), marks_over(grid, marks),
    instants_under(grid));
  to.tables += to_html(coarse_table(grid, layer));
}

json numbers_of(const std::vector<double>& values, double scale) {
  auto out = json::array();
  for (auto x : values)
    if (std::isnan(x))
      out.push_back(nullptr);
    else
      out.push_back(static_cast<std::int64_t>(std::llround(x * scale)));
  return out;
}

json map_data(const partition_grid& grid) {
  return {{"from", grid.from},
          {"to", grid.to},
          {"first", grid.first},
          {"partitions", grid.partitions},
          {"load", numbers_of(grid.load, 1000)},
          {"age", numbers_of(grid.age_mean, 1000)},
          {"oldest", numbers_of(grid.age_max, 1000)},
          {"placed", numbers_of(grid.placed, 1)},
          {"conflicts", numbers_of(grid.conflicts, 1)}};
}

} // namespace

partition_maps partition_maps_of(std::span<const run_folder> runs,
                                 std::span<const std::vector<run_mark>> marks) {
  partition_maps all{"", json::array()};
  const auto most = most_map_cells / std::max<std::size_t>(runs.size(), 1);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    auto grid = partition_grid_of(runs[r].partitions);
    if (grid.empty())
      continue;
    if (grid.cells() > most) {
      const auto columns = std::min(grid.first.size(), std::max<std::size_t>(most / 100, 1));
      grid = grid.coarser(std::max<std::size_t>(most / columns, 1), columns);
    }
    const auto number = all.data.size();
    map_parts parts;
    for (std::size_t l = 0; l < std::size(map_layers); ++l)
      add_layer(parts, grid, number, l, marks[r]);
    if (parts.choices.empty())
      continue;
    all.html += fmt::format(
      "<figure class=\"plot map\" id=\"map-{}\"><h3>{}</h3>\n{}<div class=\"layers\">\n{}</div>\n"
      "<p class=\"note cell\"></p>\n{}</figure>\n",
      number, runs.size() > 1 ? "Partitions of " + escaped(runs[r].label) : "Partitions",
      parts.choices, parts.layers,
      folded("The data as a table",
             "<p class=\"note\">Several intervals and neighbouring partitions together; all cells "
             "are in partitions.csv.</p>\n" +
               parts.tables));
    all.data.push_back(map_data(grid));
  }
  if (!all.html.empty())
    all.html =
      fmt::format("<p class=\"note\">Partitions downwards, time to the right; the stronger "
                  "the colour, the more. Vertical lines are the marks of the plots.</p>\n"
                  "<div class=\"plots{}\">\n{}</div>\n",
                  all.data.size() == 1 ? " single" : "", all.html);
  return all;
}

} // namespace troupe
