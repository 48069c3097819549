#pragma once

#include <span>
#include <string_view>

namespace troupe {

/// One quantity in a plot over time.
struct plot_series {
  std::string_view column; ///< of a `run_line`
  std::string_view label;
  std::string_view colour;    ///< a name of the palette in page.css
  std::string_view dash = ""; ///< lengths of dashes and gaps; empty: solid
};

/// A plot over time. A plot that compares several lines shows the first series.
struct plot {
  std::string_view id;
  std::string_view title;
  std::string_view axis; ///< of the vertical axis, with its unit
  std::string_view unit; ///< "s", "%" (of a share), "" or another text behind the numbers
  bool log = false;
  std::span<const plot_series> series;
  std::string_view otherwise; ///< why there may be nothing to show
};

/// All plots, in their order on the page.
std::span<const plot> plots();

} // namespace troupe
