#pragma once

#include "report/results_directory.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace troupe {

/// Where the results of a run have gone.
struct kept_results {
  std::filesystem::path where; ///< empty: they could not be written anywhere
  std::string trouble;         ///< why that is not where they belong; empty: it is
};

/// Writes results where they belong. Where that fails, as on a full disk, writes them to a new
/// directory beside that, or else among the temporary files of the host: they may have taken days.
/// Throws nothing.
kept_results keep_results(const results_directory& wanted, const run_results& results,
                          std::string_view config);

} // namespace troupe
