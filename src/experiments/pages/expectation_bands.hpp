#pragma once

#include "experiments/expectations/experiment.hpp"
#include "report/page/page.hpp"

#include <span>
#include <vector>

namespace troupe {

/// Returns the bounds that expectations set on values that plots show over time: on a mean or a
/// quantile of a named run, of all of it, of a phase or of a span of its series. Expectations of
/// other values, such as a quotient of two, are no bands. A number as the target of `within` counts
/// as bounds around it.
std::vector<page_band> expectation_bands(std::span<const expectation> expectations,
                                         std::span<const run_folder> runs);

} // namespace troupe
