#pragma once

#include "experiments/expectations/experiment.hpp"
#include "settings/checks/problems.hpp"
#include "settings/toml/document.hpp"

namespace troupe {

/// Reads the [[paper_line]] and [[figure]] tables of an experiment, whose runs and columns are
/// read. Reports names of runs and columns that do not exist, and wrong expressions.
void read_figures(const document& from, experiment& e, problems& found);

} // namespace troupe
