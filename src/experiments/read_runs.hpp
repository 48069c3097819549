#pragma once

#include "experiments/experiment.hpp"
#include "settings/document.hpp"
#include "settings/problems.hpp"

namespace troupe {

/// Reads [[run]] of an experiment file into `e.runs`, with one run for each combination of the
/// values that vary. What is wrong goes to `found`; throws `settings_error` if a run's own settings
/// cannot be read. `base` and `seeds` are for the runs that name none.
void read_runs(const document& from, const std::filesystem::path& base, std::uint64_t seeds,
               experiment& e, problems& found);

} // namespace troupe
