#pragma once

#include "report/results/results_directory.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace troupe {

/// The place to which the results of a run were written.
struct kept_results {
  std::filesystem::path where; ///< empty: they could not be written anywhere
  std::string trouble;         ///< why it is not the intended place; empty: it is
};

/// Writes results to their directory. If that fails, as on a full disk, writes them to a new
/// directory beside it, or else to the directory for temporary files, since a run may have taken
/// days; not if `wanted` stays there. Does not throw.
kept_results keep_results(const results_directory& wanted, const run_results& results,
                          std::string_view config);

} // namespace troupe
