#include "settings/checks/member_pattern.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace troupe {

namespace {

bool is_number_below(std::string_view digits, std::uint32_t count) {
  std::uint32_t number = 0;
  const auto* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  return error == std::errc{} && stop == end && number < count;
}

/// Returns whether the rest of a pattern may match "N", or "N.I".
bool may_match_number(std::string_view rest, std::uint32_t count, bool has_incarnation) {
  const auto* const known = has_incarnation ? "0123456789.*" : "0123456789*";
  if (count == 0 || rest.find_first_not_of(known) != std::string_view::npos)
    return false;
  if (rest.find('*') == std::string_view::npos)
    return is_number_below(rest.substr(0, rest.find('.')), count);
  // The least number: none of the stars adds a digit.
  std::string digits(rest);
  if (has_incarnation) // others may be of the incarnation
    digits = rest.substr(0, rest.find_first_of("*."));
  std::erase(digits, '*');
  return digits.empty() || is_number_below(digits, count);
}

/// The same for names such as "R.N" and "R.N.I"; `role` is the part of "R." that is still to match.
bool may_match(std::string_view pattern, std::string_view role, std::uint32_t count,
               bool has_incarnation) {
  if (role.empty())
    return may_match_number(pattern, count, has_incarnation);
  if (pattern.empty())
    return false;
  if (pattern[0] == '*')
    return may_match(pattern, role.substr(1), count, has_incarnation) ||
           may_match(pattern.substr(1), role, count, has_incarnation);
  return pattern[0] == role[0] &&
         may_match(pattern.substr(1), role.substr(1), count, has_incarnation);
}

/// Two stars match what one does.
std::string without_double_stars(std::string_view pattern) {
  std::string once(pattern);
  once.erase(
    std::unique(once.begin(), once.end(), [](char a, char b) { return a == '*' && b == '*'; }),
    once.end());
  return once;
}

bool matches_once_starred(std::string_view pattern, std::string_view name) {
  if (pattern.empty() || name.empty())
    return pattern.find_first_not_of('*') == std::string_view::npos && name.empty();
  if (pattern[0] == '*')
    return matches_once_starred(pattern.substr(1), name) ||
           matches_once_starred(pattern, name.substr(1));
  return pattern[0] == name[0] && matches_once_starred(pattern.substr(1), name.substr(1));
}

} // namespace

bool may_match_member(std::string_view pattern, std::string_view role_name, std::uint32_t count,
                      bool names_of_their_own) {
  return may_match(without_double_stars(pattern), std::string(role_name) + ".", count,
                   names_of_their_own);
}

bool matches_name(std::string_view pattern, std::string_view name) {
  return matches_once_starred(without_double_stars(pattern), name);
}

} // namespace troupe
