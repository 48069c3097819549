#pragma once

#include "report/totals.hpp"

#include <nlohmann/json.hpp>

namespace troupe {

/// Adds to a part of summary.json how placing went there: the outcome of attempts at jobs, wasted
/// decisions, how long jobs waited for the first attempt, and what conflicts have to do with
/// the age of the view.
void add_attempts(nlohmann::ordered_json& to, const totals& t);

} // namespace troupe
