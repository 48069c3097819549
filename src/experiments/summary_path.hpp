#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string_view>

namespace troupe {

/// Returns the number at `path` in the summary of a run: names joined by dots, as in
/// "scheduling_delay_s.mean". An element of a list is named by its `name`, as in
/// "groups.A.conflicts", or by its position from 1; "phases.3.A.quality.mean" is group A in the
/// third phase, "series.75.A.quality_mean" the interval that second 75 falls into (a column of
/// timeseries.csv), and "series.60-89.A.quality_mean.max" the greatest of the intervals that begin
/// in these seconds (also min, mean, stddev). A run of only one group may leave its name out there.
/// Truth values are 1 and 0, durations given as text are in seconds. Throws `value_error` if there
/// is no number, saying how far the path goes and what there is instead.
double value_at(const nlohmann::ordered_json& summary, std::string_view path);

/// Does the same, and returns nothing where a number belongs but was not measured.
std::optional<double> find_value(const nlohmann::ordered_json& summary, std::string_view path);

} // namespace troupe
