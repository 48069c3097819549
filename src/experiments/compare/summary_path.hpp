#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string_view>

namespace troupe {

/// Returns the number at `path` in the summary of a run: names joined by dots, as in
/// "scheduling_delay_s.mean". An element of a list is named by its `name`, as in
/// "groups.A.conflicts", or by its position from 1; "phases.3.A.quality.mean" is group A in the
/// third phase, "series.75.A.quality_mean" a column of timeseries.csv in the interval that contains
/// second 75, and "series.60-89.A.quality_mean.max" the greatest of the intervals that begin in
/// these seconds (also min, mean, stddev). A run with only one group may omit its name there. Truth
/// values are 1 and 0, durations given as text are in seconds. Throws `value_error` if there is no
/// number; the text says which part of the path exists, and its value.
double value_at(const nlohmann::ordered_json& summary, std::string_view path);

/// Does the same, but returns nothing if the number was not measured.
std::optional<double> find_value(const nlohmann::ordered_json& summary, std::string_view path);

} // namespace troupe
