#pragma once

#include "experiments/sweeps/value_table.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// One value of runs in several ways.
struct fidelity_row {
  std::string name;                          ///< "scheduling delay, mean"
  std::string path;                          ///< in summary.json
  std::vector<std::optional<double>> values; ///< one for each way; nothing where it is not measured
  /// Of all ways but the first: the relative difference from the first; nothing if that is 0, or a
  /// value is missing.
  std::vector<std::optional<double>> gaps;
};

/// A comparison of one configuration, run in several ways.
struct fidelity_table {
  std::vector<fidelity_row> rows;
  value_table table;      ///< the values of each way, and their relative differences from the first
  std::size_t beyond = 0; ///< number of differences beyond the limit; they are marked with a star
};

/// Compares the summaries of runs in several ways with the first one. `within` is the limit of
/// differences; 0: no limit.
fidelity_table compare_fidelity(std::span<const std::string> names,
                                std::span<const nlohmann::ordered_json> summaries, double within);

} // namespace troupe
