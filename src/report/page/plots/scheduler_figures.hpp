#pragma once

#include "report/page/plots/figures.hpp"
#include "report/page/runs/run_folder.hpp"

#include <span>
#include <vector>

namespace troupe {

/// Returns the figures of queues, busyness and staleness of schedulers over time: for each run the
/// median, in a band from the least to the greatest scheduler of each instant. Runs with a single
/// scheduler, and figures with nothing to show, are left out.
std::vector<figure> scheduler_figures(std::span<const run_folder> runs);

} // namespace troupe
