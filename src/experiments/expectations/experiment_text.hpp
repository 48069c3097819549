#pragma once

#include "experiments/sweeps/value_table.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <ostream>
#include <string>

namespace troupe {

/// Returns the runs of an experiment's `result.json` with their values.
value_table runs_table(const nlohmann::ordered_json& result);

/// Returns the values of one expectation in it: "1.2 ± 0.1, 3.4 ± 0.1", or "-".
std::string measured_text(const nlohmann::ordered_json& expectation);

/// Writes an experiment's `result.json` for a terminal of `width` columns: the table of its runs
/// and PASS, FAIL or SKIP for each expectation.
void write_experiment(std::ostream& out, const nlohmann::ordered_json& result,
                      std::size_t width = std::string::npos);

} // namespace troupe
