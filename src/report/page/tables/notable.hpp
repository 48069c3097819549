#pragma once

#include "report/page/runs/run_folder.hpp"

#include <string>
#include <vector>

namespace troupe {

/// Returns the most notable facts about a run, the most important first: failed self-checks,
/// interruption, schedulers that cannot keep up, offers that end before a decision, tasks that did
/// not finish, phases with far more conflicts or delay than others, repeated commits, failures. If
/// none of these is unusual, says so, with the greatest queue.
std::vector<std::string> notable_of(const run_folder& run);

/// Renders the above for the runs of a page; at most five sentences a run.
std::string notable_html(const std::vector<run_folder>& runs);

} // namespace troupe
