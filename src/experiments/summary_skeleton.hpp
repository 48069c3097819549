#pragma once

#include "settings/settings.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace troupe {

/// Returns a summary with every name that a run with `settings` gives a value to, with its settings
/// under "config" and one row for each group under "series". Nothing has been measured in it.
nlohmann::ordered_json summary_skeleton(const run_settings& settings);

/// Returns why no run with this skeleton can have a number at `path`, as in `value_at`; empty if
/// one may. What counts single events by name (checks, failures, skipped_rows) is taken as it is.
std::string fault_of_path(const nlohmann::ordered_json& skeleton, std::string_view path);

/// Returns the first fault of the paths that `value` names, an expression over "{path}"; empty if
/// there is none.
std::string fault_of_value(const nlohmann::ordered_json& skeleton, std::string_view value);

} // namespace troupe
