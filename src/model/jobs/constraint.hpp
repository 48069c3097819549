#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// How a constraint compares a machine's attribute.
enum class constraint_operator : std::uint8_t {
  equals,
  not_equals, ///< also holds if the machine has no such attribute
  in,         ///< one of several values
  greater,    ///< both sides are numbers
  less,       ///< both sides are numbers
};

inline std::string to_string(constraint_operator op) {
  constexpr const char* names[] = {"==", "!=", "in", ">", "<"};
  return names[static_cast<std::size_t>(op)];
}

/// A requirement of a task on an attribute of its machine.
struct constraint {
  std::string attribute;
  constraint_operator op = constraint_operator::equals;
  std::vector<std::string> values; ///< one value; for `in` one or more

  friend auto operator<=>(const constraint&, const constraint&) = default;
};

/// Parses "disk == ssd", "zone != b", "gpu in A100,V100", "cores > 16" or "cores < 64". The
/// operator that comes first counts: a value may contain others. Throws
/// `std::invalid_argument`; the message names the mistake and the expected form.
constraint parse_constraint(std::string_view text);

/// Renders a constraint in the form that `parse_constraint` reads.
std::string to_string(const constraint& c);

/// Returns whether a machine with these attributes meets the constraint. A machine without the
/// attribute, or with text where a number is compared, meets only `!=`.
bool meets(const std::map<std::string, std::string>& attributes, const constraint& c);

} // namespace troupe
