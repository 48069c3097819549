#pragma once

#include "experiments/sweeps/sweep.hpp"
#include "report/page/page.hpp"

namespace troupe {

/// Returns the contents of a page about a sweep: for each metric a figure over the last of the
/// varied settings, with the 95 % confidence intervals, a line for each combination of the others;
/// with two varied settings also a heat map; and the table.
page_contents sweep_page(const sweep_table& table, const std::string& name);

} // namespace troupe
