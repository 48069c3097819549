#pragma once

#include "report/totals.hpp"

#include <nlohmann/json.hpp>

namespace troupe {

/// Adds to a part of summary.json how placing went there: what attempts at jobs came to, what was
/// decided in vain, how long jobs waited for the first attempt, and what conflicts have to do with
/// the age of the view.
void add_attempts(nlohmann::ordered_json& to, const totals& t);

} // namespace troupe
