#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace troupe {

/// Renders one experiment's `result.json` as a section in Markdown, with `notes`, which are
/// Markdown themselves, at its end.
std::string experiment_markdown(const nlohmann::ordered_json& result, std::string_view notes);

/// Returns what `docs/results.md` starts with: what it is and how it is made, and one line for each
/// of `results`.
std::string results_introduction(const std::vector<nlohmann::ordered_json>& results);

} // namespace troupe
