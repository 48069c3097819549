#pragma once

#include "settings/problems.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// One of the values that a setting takes in turn.
struct varied_value {
  std::string text;       ///< as people write it, and as results name it
  std::string assignment; ///< "key=value", as after --set

  friend bool operator==(const varied_value&, const varied_value&) = default;
};

/// A setting that takes several values.
struct varied_setting {
  std::string key;
  std::vector<varied_value> values;

  friend bool operator==(const varied_setting&, const varied_setting&) = default;
};

/// Reads "key=a,b,1..10/2", as after --vary: values as after --set, and ranges of values, between
/// commas. Throws `std::invalid_argument`, whose text says what would be right.
varied_setting parse_varied_setting(std::string_view text);

/// Reads a table of settings with the values of each, as in { "sync.gap" = ["1s", "2s"],
/// schedulers = "1..10" }, in the order in which it is written. A value that is a text may be a
/// range. What is wrong goes to `found`.
std::vector<varied_setting> read_varied_settings(const toml::node& node, const std::string& path,
                                                 problems& found);

/// Returns the parts of `text` between its commas, leaving those in quotes and brackets alone.
std::vector<std::string> split_at_commas(std::string_view text);

} // namespace troupe
