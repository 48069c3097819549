#pragma once

#include "model/time.hpp"

#include <concepts>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Renders a value as TOML.
std::string to_toml_value(std::string_view text);
std::string to_toml_value(double x);
std::string to_toml_value(duration d);
std::string to_toml_value(const std::vector<double>& numbers);
std::string to_toml_value(const std::vector<std::string>& texts);
std::string to_toml_value(const std::map<std::string, std::string>& texts);
std::string to_toml_value(const std::map<std::string, double>& numbers);

template <std::integral T>
std::string to_toml_value(T x) {
  if constexpr (std::same_as<T, bool>)
    return x ? "true" : "false";
  else
    return std::to_string(x);
}

} // namespace troupe
