#pragma once

#include "experiments/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace troupe {

/// Reads an experiment file; docs/experiments.md describes the format. Every run's settings are
/// read, too, and every expression is checked. Throws `settings_error`, with one line for the user,
/// if anything is wrong. `set` is put under what the experiment sets in all runs.
experiment read_experiment(const std::filesystem::path& file,
                           const std::vector<std::string>& set = {});

} // namespace troupe
