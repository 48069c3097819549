#pragma once

#include "settings/schema/settings.hpp"

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace troupe {

/// Invalid settings. The text is one line for the user: "FILE:LINE: key 'x.y': value ...; expected
/// ...", or "--set x.y=...: key ..." for an override.
class settings_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Reads the TOML file `file` and the files that it extends (see `document`), applies the
/// `overrides` in their order, each "x.y=value" as after --set, and returns the complete and
/// checked settings: unset values have their defaults, and `groups` has at least one element with
/// all values resolved. An override's value is TOML, or a bare text if it is not TOML; elements of
/// arrays are named by index, as in "groups.0.schedulers=5", and the index after the last appends.
/// Throws `settings_error` for the first problem in the order of the file, then of the overrides.
run_settings read_settings(const std::filesystem::path& file,
                           std::span<const std::string> overrides = {});

/// The same for the TOML text `toml`; messages name it `name`.
run_settings parse_settings(std::string_view toml, std::string_view name,
                            std::span<const std::string> overrides = {});

} // namespace troupe
