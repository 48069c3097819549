#pragma once

#include "report/page/plots/figures.hpp"
#include "report/page/runs/run_lines.hpp"

#include <span>
#include <vector>

namespace troupe {

/// Returns the figures about runs that are not over time, and the shares of tenants: the
/// distribution of delays, and conflicts by the age of the view. Those with nothing to show are
/// left out.
std::vector<figure> run_figures(std::span<const run_folder> runs, std::span<const run_line> lines);

} // namespace troupe
