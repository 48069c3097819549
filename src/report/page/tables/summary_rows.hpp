#pragma once

#include "report/page/html.hpp"
#include "report/page/runs/run_folder.hpp"

#include <span>

namespace troupe {

/// Returns every number and text of the runs' summaries, one row for each path as in `troupe
/// compare --metric`, except what depends on the host (see `host_html`), self-checks, phases and
/// groups.
html_table summary_table_of(std::span<const run_folder> runs);

/// Returns the rows of the summary under `phases` or `groups` of one run, one column for each.
html_table parts_table_of(const run_folder& run, const char* parts);

/// Returns the self-checks of the runs.
html_table checks_table_of(std::span<const run_folder> runs);

/// Renders the values that depend on the host. It is the only element of a page that differs
/// between two runs of the same settings.
std::string host_html(std::span<const run_folder> runs, const html_table& more);

} // namespace troupe
