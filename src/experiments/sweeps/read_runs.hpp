#pragma once

#include "experiments/expectations/experiment.hpp"
#include "settings/checks/problems.hpp"
#include "settings/toml/document.hpp"

#include <string>
#include <vector>

namespace troupe {

/// Reports a seed among the assignments `set` at `path`: the runs of an experiment have seeds 1 to
/// N.
void refuse_seed(const std::vector<std::string>& set, const std::string& path, problems& found);

/// Reads [[run]] of an experiment file into `e.runs`, with one run for each combination of varied
/// values. Reports problems to `found`. Throws `settings_error` if a run's own settings cannot be
/// read. `base` and `seeds` apply to the runs that give none.
void read_runs(const document& from, const std::filesystem::path& base, std::uint64_t seeds,
               experiment& e, problems& found);

} // namespace troupe
