#pragma once

#include "report/page/runs/columns.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// A distribution of scheduling delays as the share of tasks that were placed within each delay.
struct delay_curve {
  std::vector<double> delay_s; ///< ascending
  std::vector<double> share;   ///< from 0 to 1, not falling
};

/// Returns the curve of a group from the columns of delays.csv; of all groups together if `group`
/// is empty. Tasks that were not placed count as censored at their ages (Kaplan and Meier 1958), as
/// in summary.json. A curve has at most 1,000 points: those at which the share has grown by 0.2 %,
/// or the share above it has fallen by a fifth.
delay_curve delay_curve_of(const csv_columns& delays, std::string_view group = "");

} // namespace troupe
