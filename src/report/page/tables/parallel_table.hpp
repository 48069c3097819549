#pragma once

#include "report/page/runs/run_folder.hpp"

#include <span>
#include <string>

namespace troupe {

/// Returns tables of the waits and bounded slowdowns of jobs by width and by estimate, and of the
/// use of processors; empty if no run has measured them.
std::string parallel_tables_html(std::span<const run_folder> runs);

} // namespace troupe
