#pragma once

#include "settings/toml/read.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The least that a settings file must say.
inline const std::string one_phase = "[[workload.phases]]\nload = 0.5\n";

/// Reads `toml` as a file called "f.toml".
inline run_settings parsed(std::string_view toml, const std::vector<std::string>& overrides = {}) {
  return parse_settings(toml, "f.toml", overrides);
}

/// Returns the message with which reading `toml` fails, or "accepted".
inline std::string refusal(std::string_view toml, const std::vector<std::string>& overrides = {}) {
  try {
    parsed(toml, overrides);
  } catch (const settings_error& error) {
    return error.what();
  }
  return "accepted";
}

} // namespace troupe
