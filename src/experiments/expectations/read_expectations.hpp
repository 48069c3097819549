#pragma once

#include "experiments/expectations/experiment.hpp"
#include "settings/checks/problems.hpp"
#include "settings/toml/document.hpp"

namespace troupe {

/// Reads [[expect]] and [[column]] of an experiment file into `e`, whose runs are known, and
/// expands patterns to the runs that match. Reports problems to `found`.
void read_expectations(const document& from, experiment& e, problems& found);

} // namespace troupe
