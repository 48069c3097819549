#pragma once

#include "experiments/value_table.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>

namespace troupe {

/// One configuration, run in several ways.
struct fidelity_table {
  value_table table;      ///< the values of each, and their relative differences from the first
  std::size_t beyond = 0; ///< how many of these are too great; they are marked with a star
};

/// Compares the summaries of runs in ways of these names with the first one. A difference is too
/// great beyond `within`, unless that is 0.
fidelity_table compare_fidelity(std::span<const std::string> names,
                                std::span<const nlohmann::ordered_json> summaries, double within);

} // namespace troupe
