#pragma once

#include "model/results.hpp"

#include <ostream>

namespace troupe {

/// Writes how a run in which things failed differs from the same run in which nothing did: what
/// failed, and the usual figures of both, side by side.
void write_difference(std::ostream& out, const run_results& without, const run_results& with);

} // namespace troupe
