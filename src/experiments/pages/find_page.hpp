#pragma once

#include "experiments/processes/execute.hpp"
#include "report/page/page.hpp"

#include <span>
#include <string>

namespace troupe {

/// Returns the contents of a page about searches: the outcome of each in one sentence, the measured
/// goal at each value that was tried, with the 95 % confidence intervals, and the tables.
page_contents find_page(std::span<const run_result> searches, const std::string& name);

} // namespace troupe
