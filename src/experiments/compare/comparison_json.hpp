#pragma once

#include "experiments/compare/compare.hpp"
#include "experiments/sweeps/value_table.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace troupe {

/// Returns the values of a comparison, each as "mean ± half width of the 95 % interval".
value_table comparison_table(const comparison& c);

/// Returns the differences of all configurations to the first, as "+1.2 ± 0.3 *", and the heading
/// above them. The star marks significant differences.
value_table comparison_differences(const comparison& c);
std::string differences_title(const comparison& c);

/// Returns one row for each metric and configuration, with all digits.
value_table comparison_list(const comparison& c);

nlohmann::ordered_json comparison_json(const comparison& c);

} // namespace troupe
