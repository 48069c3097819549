#pragma once

#include "report/page/html.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace troupe {

/// Lines of a figure that are drawn; its tables have all.
inline constexpr std::size_t most_lines = 8;

/// A line in a figure.
struct figure_line {
  std::string label;
  std::vector<double> x;             ///< ascending
  std::vector<double> y;             ///< NaN: no value
  std::vector<double> half_width{};  ///< of the confidence interval of each y; may be empty
  std::string group{};               ///< shown only if no other group is chosen; may be empty
  std::vector<double> low{};         ///< least values at each x, of a band; may be empty
  std::vector<double> high{};        ///< greatest values, likewise
  std::vector<std::string> low_of{}; ///< whose the least values are; may be empty
  std::vector<std::string> high_of{};
  bool of_paper = false; ///< stated by a paper, and not measured
};

/// A figure of lines over any axis.
struct figure {
  std::string id; ///< letters, digits and "-"
  std::string title;
  std::string x_axis; ///< with its unit
  std::string y_axis;
  std::string x_unit{}; ///< "s", "%" (of a share) or "", for the numbers
  std::string y_unit{};
  bool x_log = false;
  bool y_log = false;
  bool steps = false;                 ///< y holds until the next x
  std::vector<std::string> x_names{}; ///< of x = 0, 1, 2, ..., if they are no numbers
  std::vector<figure_line> lines{};
  std::string note{}; ///< below the figure
};

/// A metric over two axes.
struct heat_map {
  std::string title;
  std::string x_axis;
  std::string y_axis;
  std::vector<std::string> x_names;
  std::vector<std::string> y_names;
  std::vector<std::vector<double>> values; ///< by y, then by x; NaN: no value
  std::string unit{};                      ///< of the values: "s", "%" (of a share) or ""
};

/// Returns a figure for the page's script.
nlohmann::ordered_json figure_json(const figure& f);

/// Returns the place of a figure on the page, with its data as a table of at most 60 rows a line.
std::string figure_html(const figure& f);

/// Renders a table whose cells have the stronger a colour, the greater their values.
std::string heat_map_html(const heat_map& map);

/// Returns a number with its unit: "12.3 ms", "45.6 %", "1.23".
std::string value_with_unit(double x, std::string_view unit);

} // namespace troupe
