#pragma once

#include <nlohmann/json.hpp>

#include <string_view>

namespace troupe {

/// Returns the same tables, lists, texts and numbers as JSON; null if `toml` is not TOML.
nlohmann::ordered_json json_of_toml(std::string_view toml);

} // namespace troupe
