#pragma once

#include "experiments/compare.hpp"
#include "experiments/value_table.hpp"

#include <nlohmann/json.hpp>

namespace troupe {

/// Returns the values of a comparison, each as "mean ± half width of the 95 % interval".
value_table comparison_table(const comparison& c);

/// Returns one row for each metric and configuration, with all digits.
value_table comparison_list(const comparison& c);

nlohmann::ordered_json comparison_json(const comparison& c);

} // namespace troupe
