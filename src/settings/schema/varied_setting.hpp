#pragma once

#include "settings/checks/problems.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// One of the values of a varied setting.
struct varied_value {
  std::string text;       ///< as written, and as named in results
  std::string assignment; ///< "key=value", as after --set

  friend bool operator==(const varied_value&, const varied_value&) = default;
};

/// A setting with several values.
struct varied_setting {
  std::string key;
  std::vector<varied_value> values;

  friend bool operator==(const varied_setting&, const varied_setting&) = default;
};

/// Reads "key=a,b,1..10/2", as after --vary: values as after --set, and ranges of values, between
/// commas. Throws `std::invalid_argument` with the expected form.
varied_setting parse_varied_setting(std::string_view text);

/// Reads a table of settings with the values of each, as in { "sync.gap" = ["1s", "2s"], schedulers
/// = "1..10" }, in the order of the table. A text value may be a range. Reports problems to
/// `found`.
std::vector<varied_setting> read_varied_settings(const toml::node& node, const std::string& path,
                                                 problems& found);

/// Splits `text` at its commas, except those in quotes and brackets.
std::vector<std::string> split_at_commas(std::string_view text);

} // namespace troupe
