#pragma once

#include "model/base/time.hpp"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// The settings of policies and plugins: their declarations and values.
namespace troupe {

/// The value of a setting, of one of the types of a settings file.
using setting_value = std::variant<bool, std::int64_t, double, duration, std::string>;

/// The declaration of one setting by a policy or plugin. The texts must outlive it.
struct setting_info {
  std::string_view name;    ///< lower case letters, digits and _
  std::string_view meaning; ///< for the user, one line
  setting_value standard;   ///< the default; the setting has its type
  /// Range of numbers and, in seconds, of durations.
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool above_min = false;                  ///< `min` itself is excluded
  bool below_max = false;                  ///< `max` itself is excluded
  std::vector<std::string_view> choices{}; ///< allowed texts; none: any
  std::string_view unit{};

  /// Returns whether `value` has the right type and is in the range.
  bool admits(const setting_value& value) const;
};

/// Values of settings by name.
class setting_values {
public:
  setting_values() = default;
  setting_values(std::initializer_list<std::pair<const std::string, setting_value>> values)
    : values_(values) {}

  /// Returns the value of a setting in its type or, for a whole number, in any integral type.
  /// Throws `std::invalid_argument` if there is no such setting, or it is of another type.
  template <class T>
  T get(std::string_view name) const {
    if constexpr (std::integral<T> && !std::same_as<T, bool>)
      return static_cast<T>(as<std::int64_t>(name));
    else
      return as<T>(name);
  }

  /// Returns the value of a setting, or null if there is none.
  const setting_value* find(std::string_view name) const {
    const auto it = values_.find(name);
    return it == values_.end() ? nullptr : &it->second;
  }

  /// Returns a reference to the value of a setting, which is `standard` at first.
  setting_value& at(std::string_view name, const setting_value& standard) {
    return values_.try_emplace(std::string(name), standard).first->second;
  }

  const std::map<std::string, setting_value, std::less<>>& all() const { return values_; }

  friend bool operator==(const setting_values&, const setting_values&) = default;

private:
  template <class T>
  const T& as(std::string_view name) const {
    const auto* value = find(name);
    const auto* typed = value == nullptr ? nullptr : std::get_if<T>(value);
    if (typed == nullptr)
      throw std::invalid_argument((value == nullptr ? "there is no setting '" + std::string(name)
                                                    : "of another type is '" + std::string(name)) +
                                  "'");
    return *typed;
  }

  std::map<std::string, setting_value, std::less<>> values_;
};

/// Returns a value for each of `declared`: that in `given`, or the default. Omits other values of
/// `given`.
setting_values completed(std::span<const setting_info> declared, const setting_values& given);

/// The user's name for the type of a value: "whole number".
std::string_view type_name(const setting_value& value);

/// Renders a value for `parse_setting`: "true", "2", "0.5", "1500ms", "abc".
std::string to_text(const setting_value& value);

/// Reads a value of the type of `like` in the format of `to_text`; nothing if `text` is not such a
/// value.
std::optional<setting_value> parse_setting(std::string_view text, const setting_value& like);

} // namespace troupe
