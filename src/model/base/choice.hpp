#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

/// Enums with one table of names each, which reading, checking, printing and documenting use.
namespace troupe {

/// The names of the values of `Enum`, in their order; specialised for each enum that users name.
template <class Enum>
struct choice_names;

/// An enum with a table of names.
template <class Enum>
concept choice = requires {
  choice_names<Enum>::value;
};

template <choice Enum>
constexpr std::string_view name_of(Enum value) {
  return choice_names<Enum>::value[static_cast<std::size_t>(value)];
}

/// Returns the value with that name, if there is one.
template <choice Enum>
constexpr std::optional<Enum> choice_named(std::string_view name) {
  constexpr auto& names = choice_names<Enum>::value;
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (names[i] == name)
      return static_cast<Enum>(i);
  return std::nullopt;
}

template <choice Enum>
std::string to_string(Enum value) {
  return std::string{name_of(value)};
}

template <choice Enum>
std::ostream& operator<<(std::ostream& out, Enum value) {
  return out << name_of(value);
}

} // namespace troupe
