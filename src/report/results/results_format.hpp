#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>

namespace troupe {

/// The version of the format of a results directory: of its summary, time series and records, and
/// of `result.json` of an experiment. It rises when a reader of the version before would misread a
/// file; new members, and new columns at the end, do not raise it.
inline constexpr int results_format = 1;

/// Throws `input_error` if `content`, the JSON in `file`, says that it has a format that this
/// program does not know. Results without a format have the first one.
void check_results_format(const std::filesystem::path& file, const nlohmann::ordered_json& content);

/// The same for the summary in a results directory, if there is one: it tells the format of all
/// other files there.
void check_results_format(const std::filesystem::path& directory);

} // namespace troupe
