#pragma once

#include "settings/schema/settings.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace troupe {

/// Returns a summary without measurements that has every name of a run with `settings`, with its
/// settings under "config" and one row for each group under "series".
nlohmann::ordered_json summary_skeleton(const run_settings& settings);

/// Returns why no run with this skeleton can have a number at `path`, as in `value_at`; empty if
/// one may. Paths below parts that count single events by name (checks, failures, skipped_rows) are
/// accepted.
std::string fault_of_path(const nlohmann::ordered_json& skeleton, std::string_view path);

/// Returns the first problem of the paths in `value`, an expression over "{path}"; empty if there
/// is none.
std::string fault_of_value(const nlohmann::ordered_json& skeleton, std::string_view value);

} // namespace troupe
