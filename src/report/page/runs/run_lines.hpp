#pragma once

#include "report/page/runs/run_folder.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// The rows of one group in one run: one line in each plot.
struct run_line {
  std::string label;
  std::size_t run = 0; ///< its number on the page
  std::string group;
  std::vector<double> x; ///< ends of the intervals, in s
  /// The columns of timeseries.csv, and `NAME_per_s` for each column that counts events.
  std::map<std::string, std::vector<double>, std::less<>> columns;
};

/// Returns the lines of some runs, by run and then by group. A line is labelled by its run or its
/// group, and by both if there are several of both.
std::vector<run_line> lines_of(std::span<const run_folder> runs);

} // namespace troupe
