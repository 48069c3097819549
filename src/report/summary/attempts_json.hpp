#pragma once

#include "report/summary/totals.hpp"

#include <nlohmann/json.hpp>

namespace troupe {

/// Adds the figures on placement to a part of summary.json: the outcomes of attempts at jobs,
/// wasted decisions, the time that jobs waited for the first decision, and the conflicts by the age
/// of the view.
void add_attempts(nlohmann::ordered_json& to, const totals& t);

} // namespace troupe
