#include "experiments/pages/paper_figures.hpp"

#include "experiments/expectations/evaluate.hpp"
#include "experiments/expectations/value_error.hpp"
#include "experiments/sweeps/glob.hpp"
#include "experiments/sweeps/value_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace troupe {

namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

/// One point of a figure that was measured.
struct measured_point {
  double x = 0;
  double y = 0;
  double half_width = not_measured;
  double model = not_measured;
};

std::optional<estimate> value_in_run(const std::string& text, const run_result& run) {
  try {
    return estimate_of(values_of(expression(text), {&run, 1}, &run));
  } catch (const value_error&) {
    return std::nullopt; // it was not measured
  }
}

std::vector<measured_point> points_of(const paper_figure& f, const paper_figure::line& line,
                                      std::span<const run_result> results) {
  std::vector<measured_point> points;
  for (const auto& run : results) {
    const auto& name = run.plan.name;
    if (std::ranges::none_of(line.runs, [&](const auto& pattern) { return fits(pattern, name); }))
      continue;
    const auto x = value_in_run(f.x, run);
    const auto y = value_in_run(f.y, run);
    if (!x || !y)
      continue;
    points.push_back({x->mean, y->mean, y->half_width.value_or(not_measured), not_measured});
    if (const auto model = f.model.empty() ? std::nullopt : value_in_run(f.model, run))
      points.back().model = model->mean;
  }
  std::ranges::stable_sort(points, {}, &measured_point::x);
  return points;
}

/// The place of a point that the paper states; nothing if a run that it needs is missing.
std::optional<std::pair<double, double>> place_of(const paper_point& point,
                                                  std::span<const run_result> results) {
  const auto value = [&](const std::string& text) {
    return estimate_of(values_of(expression(text), results)).mean;
  };
  try {
    return std::pair{value(point.x), value(point.y)};
  } catch (const value_error&) {
    return std::nullopt;
  }
}

figure drawn(const paper_figure& f, std::size_t number, std::span<const run_result> results) {
  figure out{"paper-" + std::to_string(number), f.title, f.x_axis, f.y_axis};
  out.x_log = f.x_log;
  out.y_log = f.y_log;
  out.note = f.note;
  std::vector<figure_line> stated;
  for (const auto& line : f.lines) {
    figure_line measured{line.label, {}, {}};
    figure_line model{line.label + ", the paper's formula", {}, {}};
    model.of_paper = true;
    for (const auto& p : points_of(f, line, results)) {
      measured.x.push_back(p.x);
      measured.y.push_back(p.y);
      measured.half_width.push_back(p.half_width);
      model.x.push_back(p.x);
      model.y.push_back(p.model);
    }
    if (measured.x.empty())
      continue;
    out.lines.push_back(std::move(measured));
    if (!f.model.empty())
      stated.push_back(std::move(model));
  }
  for (const auto& point : f.points)
    if (const auto at = place_of(point, results)) {
      stated.push_back({"the paper: " + point.says, {at->first}, {at->second}});
      stated.back().of_paper = true;
    }
  if (!out.lines.empty())
    std::ranges::move(stated, std::back_inserter(out.lines));
  return out;
}

double end_of_run(const run_folder& run) {
  return run.summary.value("simulated_seconds", 0.0);
}

} // namespace

std::vector<figure> paper_figures(const experiment& e, std::span<const run_result> results) {
  std::vector<figure> all;
  for (const auto& f : e.figures)
    if (auto figure = drawn(f, all.size() + 1, results); !figure.lines.empty())
      all.push_back(std::move(figure));
  return all;
}

std::vector<page_line> paper_lines(std::span<const paper_line> lines,
                                   std::span<const run_folder> runs) {
  std::vector<page_line> all;
  for (const auto& l : lines) {
    const auto run = std::ranges::find(runs, l.run, &run_folder::label);
    if (run == runs.end())
      continue;
    const auto end = end_of_run(*run);
    all.push_back({l.column, static_cast<std::size_t>(run - runs.begin()), l.group,
                   to_seconds(l.from), l.to > duration{0} ? to_seconds(l.to) : end, l.value,
                   l.says});
  }
  return all;
}

html_table paper_table(std::span<const page_line> lines, std::span<const run_folder> runs) {
  html_table table{"What the paper states, in the plots over time",
                   {"run", "group", "column", "from", "to", "value", "the paper"},
                   {},
                   true};
  for (const auto& l : lines)
    table.rows.push_back({runs[l.run].label, l.group, l.column, value_with_unit(l.from_s, "s"),
                          value_with_unit(l.to_s, "s"), fmt::format("{:g}", l.value), l.text});
  return table;
}

std::string paper_csv(const experiment& e, std::span<const run_result> results) {
  value_table table{{"figure", "run", "group", "column", "from", "to", "value", "says"}, {}};
  const auto text = [](double x) { return fmt::format("{:.6g}", x); };
  for (const auto& l : e.paper_lines)
    table.rows.push_back({"", l.run, l.group, l.column, text(to_seconds(l.from)),
                          l.to > duration{0} ? text(to_seconds(l.to)) : "", text(l.value), l.says});
  for (const auto& f : e.figures)
    for (const auto& point : f.points)
      if (const auto at = place_of(point, results))
        table.rows.push_back({f.title, "", "", f.y_axis, text(at->first), text(at->first),
                              text(at->second), point.says});
  return table.to_csv();
}

} // namespace troupe
