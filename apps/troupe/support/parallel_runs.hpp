#pragma once

#include "experiments/processes/execute.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace troupe {

/// Options for runs that are executed together.
struct parallel_options {
  std::uint64_t jobs = 0; ///< at a time; 0: one for each core
  bool resume = false;    ///< use existing results
  bool quiet = false;     ///< show no progress
  bool steps = false;     ///< also show the attempts of searches
};

/// Adds --jobs and --quiet to `command`; `options` must outlive it.
void add_parallel_options(CLI::App& command, parallel_options& options);

/// Adds --seeds to `command`; `seeds` must outlive it.
void add_seeds_option(CLI::App& command, std::uint64_t& seeds, const std::string& meaning);

/// Executes `plans` as processes of this program, with their results below `directory`, and shows
/// progress on stderr. The first SIGINT or SIGTERM stops them gracefully; then `caught_signal`
/// returns it, and the result is incomplete.
std::vector<run_result> run_parallel(std::span<const planned_run> plans,
                                     const std::filesystem::path& directory,
                                     const parallel_options& options);

} // namespace troupe
