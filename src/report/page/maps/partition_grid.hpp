#pragma once

#include "report/page/runs/columns.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace troupe {

/// The rows of partitions.csv as a grid of intervals and columns of neighbouring partitions.
struct partition_grid {
  std::vector<double> from;      ///< s, of each interval
  std::vector<double> to;        ///< s
  std::vector<double> first;     ///< number of the first partition of each column
  double partitions = 0;         ///< of the cluster, as far as they are known
  std::vector<double> load;      ///< by interval and then by column, as below; NaN: not known
  std::vector<double> age_mean;  ///< s
  std::vector<double> age_max;   ///< s
  std::vector<double> placed;    ///< placements in the interval
  std::vector<double> conflicts; ///< likewise

  std::size_t cells() const { return to.size() * first.size(); }
  bool empty() const { return cells() == 0; }

  /// Returns the conflicts per second of each cell.
  std::vector<double> conflict_rate() const;

  /// Returns a grid with at most so many intervals and columns, of which each is made of several
  /// neighbours: loads and mean ages are their means.
  partition_grid coarser(std::size_t intervals, std::size_t columns) const;
};

/// Returns the grid of a run; empty without rows.
partition_grid partition_grid_of(const csv_columns& rows);

} // namespace troupe
