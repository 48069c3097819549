#pragma once

#include "experiments/sweeps/value_table.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>

namespace troupe {

/// A comparison of one configuration, run in several ways.
struct fidelity_table {
  value_table table;      ///< the values of each way, and their relative differences from the first
  std::size_t beyond = 0; ///< number of differences beyond the limit; they are marked with a star
};

/// Compares the summaries of runs in several ways with the first one. `within` is the limit of
/// differences; 0: no limit.
fidelity_table compare_fidelity(std::span<const std::string> names,
                                std::span<const nlohmann::ordered_json> summaries, double within);

} // namespace troupe
