#pragma once

#include "model/base/time.hpp"

#include <string>
#include <vector>

/// What a paper shows, to be drawn beside the results of an experiment.
namespace troupe {

/// A value that the paper states for a span of a run.
struct paper_line {
  std::string says;
  std::string run;
  std::string group;  ///< empty: all
  std::string column; ///< of timeseries.csv
  duration from{0};
  duration to{0}; ///< 0: the end of the run
  double value = 0;
};

/// A point of a figure that the paper states.
struct paper_point {
  std::string says;
  std::string x; ///< an expression, such as a number
  std::string y; ///< likewise: a ratio that the paper states, times the measured value
};

/// A figure of the paper, with the values of an experiment's runs.
struct paper_figure {
  /// Runs that make a line.
  struct line {
    std::string label;
    std::vector<std::string> runs; ///< patterns
  };

  std::string title;
  std::string x;      ///< an expression over the values of a run, as of a column
  std::string y;      ///< likewise
  std::string x_axis; ///< their meaning, with units
  std::string y_axis;
  bool x_log = false;
  bool y_log = false;
  std::string model; ///< the paper's formula for y, likewise; may be empty
  std::vector<line> lines;
  std::vector<paper_point> points;
  std::string note; ///< what replaces the paper's curve if it is unknown
};

} // namespace troupe
