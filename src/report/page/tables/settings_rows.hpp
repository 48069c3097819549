#pragma once

#include "report/page/html.hpp"
#include "report/page/runs/run_folder.hpp"

#include <span>

namespace troupe {

/// Returns the settings in which any of the runs differs from the defaults of its architecture.
html_table settings_table_of(std::span<const run_folder> runs);

} // namespace troupe
