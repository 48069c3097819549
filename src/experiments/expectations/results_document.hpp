#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace troupe {

/// Renders one experiment's `result.json` as a section in Markdown, with `notes`, also in Markdown,
/// at its end. If `picture` says what a picture of the results shows, the section has that picture:
/// `pictures/NAME-light.svg` or, on dark pages, `pictures/NAME-dark.svg`.
std::string experiment_markdown(const nlohmann::ordered_json& result, std::string_view notes,
                                std::string_view picture = {});

/// Returns the beginning of `docs/results.md`: its purpose, how it is generated, and one line for
/// each of `results`.
std::string results_introduction(const std::vector<nlohmann::ordered_json>& results);

} // namespace troupe
