#include "policies/setting.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace troupe {

namespace {

template <class T>
std::optional<T> number_in(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return number;
}

struct renderer {
  std::string operator()(bool x) const { return x ? "true" : "false"; }
  std::string operator()(std::int64_t x) const { return std::to_string(x); }
  std::string operator()(double x) const {
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
  }
  std::string operator()(duration x) const { return to_string(x); }
  std::string operator()(const std::string& x) const { return x; }
};

std::optional<setting_value> parse_duration_text(std::string_view text) {
  static constexpr std::pair<std::string_view, std::int64_t> units[] = {
    {"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}};
  for (const auto& [unit, length] : units)
    if (text.ends_with(unit))
      if (const auto n = number_in<std::int64_t>(text.substr(0, text.size() - unit.size())))
        return duration{*n * length};
  return std::nullopt;
}

} // namespace

bool setting_info::admits(const setting_value& value) const {
  if (value.index() != standard.index())
    return false;
  const auto in_range = [this](double x) {
    return std::isfinite(x) && (above_min ? x > min : x >= min) && (below_max ? x < max : x <= max);
  };
  if (const auto* number = std::get_if<std::int64_t>(&value))
    return in_range(static_cast<double>(*number));
  if (const auto* number = std::get_if<double>(&value))
    return in_range(*number);
  if (const auto* length = std::get_if<duration>(&value))
    return in_range(to_seconds(*length));
  if (const auto* text = std::get_if<std::string>(&value))
    return choices.empty() || std::ranges::find(choices, *text) != choices.end();
  return true;
}

setting_values completed(std::span<const setting_info> declared, const setting_values& given) {
  setting_values all;
  for (const auto& setting : declared) {
    const auto* value = given.find(setting.name);
    all.at(setting.name, value == nullptr ? setting.standard : *value);
  }
  return all;
}

std::string_view type_name(const setting_value& value) {
  static constexpr std::string_view names[] = {"true or false", "whole number", "number",
                                               "duration", "text"};
  return names[value.index()];
}

std::string to_text(const setting_value& value) {
  return std::visit(renderer{}, value);
}

std::optional<setting_value> parse_setting(std::string_view text, const setting_value& like) {
  if (std::holds_alternative<bool>(like)) {
    if (text == "true" || text == "false")
      return text == "true";
    return std::nullopt;
  }
  if (std::holds_alternative<std::int64_t>(like))
    return number_in<std::int64_t>(text);
  if (std::holds_alternative<double>(like))
    return number_in<double>(text);
  if (std::holds_alternative<duration>(like))
    return parse_duration_text(text);
  return std::string(text);
}

} // namespace troupe
