#pragma once

#include "model/base/time.hpp"
#include "settings/schema/choices.hpp"

#include <concepts>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Renders a value as TOML.
std::string to_toml_value(std::string_view text);
std::string to_toml_value(double x);

template <choice Enum>
std::string to_toml_value(Enum x) {
  return to_toml_value(name_of(x));
}

std::string to_toml_value(duration d);
std::string to_toml_value(const std::vector<double>& numbers);
std::string to_toml_value(const std::vector<std::string>& texts);
std::string to_toml_value(const std::map<std::string, std::string>& texts);
std::string to_toml_value(const std::map<std::string, double>& numbers);

template <choice Enum>
std::string to_toml_value(const std::vector<Enum>& values) {
  std::vector<std::string> names;
  for (const auto value : values)
    names.push_back(to_string(value));
  return to_toml_value(names);
}

template <std::integral T>
std::string to_toml_value(T x) {
  if constexpr (std::same_as<T, bool>)
    return x ? "true" : "false";
  else
    return std::to_string(x);
}

} // namespace troupe
