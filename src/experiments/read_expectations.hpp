#pragma once

#include "experiments/experiment.hpp"
#include "settings/document.hpp"
#include "settings/problems.hpp"

namespace troupe {

/// Reads [[expect]] and [[column]] of an experiment file into `e`, whose runs are known; patterns
/// become the runs that they stand for. What is wrong goes to `found`.
void read_expectations(const document& from, experiment& e, problems& found);

} // namespace troupe
