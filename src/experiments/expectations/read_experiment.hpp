#pragma once

#include "experiments/expectations/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace troupe {

/// Reads an experiment file; docs/experiments.md describes the format. Also reads every run's
/// settings and checks every expression. Throws `settings_error`, with one line for the user, if
/// there is a problem. The experiment's settings for all runs take precedence over `set`.
experiment read_experiment(const std::filesystem::path& file,
                           const std::vector<std::string>& set = {});

} // namespace troupe
