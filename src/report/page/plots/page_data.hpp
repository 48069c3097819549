#pragma once

#include "report/page/plots/figures.hpp"
#include "report/page/plots/plots.hpp"
#include "report/page/runs/marks.hpp"
#include "report/page/runs/run_lines.hpp"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <vector>

namespace troupe {

/// A plot with those of its series that have values in the runs of a page.
struct shown_plot {
  const plot* what = nullptr;
  std::vector<const plot_series*> series; ///< empty: there is nothing to show
};

/// Returns the plots of a page. A series is shown if any line has a value other than 0. A plot with
/// nothing to show is left out unless it says why.
std::vector<shown_plot> shown_plots(std::span<const run_line> lines);

/// Points of a series at most; fewer if there are many lines, so that a page stays below 3 MB.
inline constexpr std::size_t most_points = 2000;

/// Returns the plots, and the lines with the columns that these need, for the page's script. A line
/// with more rows than points are allowed has the mean of each bucket of rows as its columns, and
/// `min` and `max` beside them.
nlohmann::ordered_json page_data(std::span<const run_line> lines, std::span<const shown_plot> plots,
                                 std::span<const std::vector<run_mark>> marks);

/// Returns the place of a plot on the page, with its data as tables of a few rows.
std::string plot_html(const shown_plot& plot, std::span<const run_line> lines);

/// Renders how many rows the plots show as how many points; empty if as many.
std::string thinning_note(std::span<const run_line> lines, std::span<const shown_plot> plots);

} // namespace troupe
