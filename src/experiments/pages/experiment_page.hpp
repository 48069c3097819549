#pragma once

#include "report/page/page.hpp"

#include <nlohmann/json_fwd.hpp>

namespace troupe {

/// Returns the contents of a page about an experiment, from its `result.json`: a table of its
/// expectations with their verdicts, one of its runs with its columns, and a figure for each
/// expectation of several values, with the bounds that it sets as a band.
page_contents experiment_page(const nlohmann::ordered_json& result);

} // namespace troupe
