#pragma once

#include "report/page/runs/marks.hpp"

#include <span>
#include <string>
#include <vector>

namespace troupe {

/// Renders tables of the marks of runs with their numbers in the plots and, apart from these, of
/// the first failures of machines.
std::string marks_html(std::span<const run_folder> runs,
                       std::span<const std::vector<run_mark>> marks);

} // namespace troupe
