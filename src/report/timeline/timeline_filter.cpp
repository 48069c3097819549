#include "report/timeline/timeline_filter.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <stdexcept>

namespace troupe {

namespace {

constexpr std::array<std::string_view, 3> timeline_roles{"master", "owner", "scheduler"};

/// Calls `f` with each part of a list.
template <class F>
void for_each_part(std::string_view list, F f) {
  for (;;) {
    const auto comma = list.find(',');
    f(list.substr(0, comma));
    if (comma == std::string_view::npos)
      return;
    list.remove_prefix(comma + 1);
  }
}

std::uint64_t whole_number(std::string_view text, std::string_view in) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty())
    throw std::invalid_argument{'\'' + std::string{in} +
                                "' is not a number or a range; expected a list such as 0-9,17, "
                                "all or none"};
  return n;
}

} // namespace

number_ranges::number_ranges(std::string_view text) {
  if (text == "none")
    return;
  if (text == "all") {
    ranges_.push_back({0, std::numeric_limits<std::uint64_t>::max()});
    return;
  }
  for_each_part(text, [&](std::string_view part) {
    const auto dash = part.find('-');
    const auto first = whole_number(part.substr(0, dash), part);
    const auto last =
      dash == std::string_view::npos ? first : whole_number(part.substr(dash + 1), part);
    if (last < first)
      throw std::invalid_argument{'\'' + std::string{part} +
                                  "' ends before it begins; expected a range such as 0-9"};
    ranges_.push_back({first, last});
  });
}

bool number_ranges::contains(std::uint64_t n) const {
  return std::ranges::any_of(ranges_, [n](const range& r) { return r.first <= n && n <= r.last; });
}

member_choice::member_choice(std::string_view text) {
  if (text == "all")
    return;
  all_ = false;
  if (text == "none")
    return;
  for_each_part(text, [&](std::string_view part) {
    const auto dot = part.find('.');
    const auto role = part.substr(0, dot);
    if (std::ranges::find(timeline_roles, role) == timeline_roles.end())
      throw std::invalid_argument{'\'' + std::string{part} +
                                  "' is no member; expected a list such as "
                                  "master,owner.2,scheduler.0-3, all or none"};
    const auto numbers = dot == std::string_view::npos ? "all" : part.substr(dot + 1);
    entries_.push_back({std::string{role}, number_ranges{numbers == "*" ? "all" : numbers}});
  });
}

bool member_choice::contains(std::string_view role, std::uint32_t number) const {
  return all_ || std::ranges::any_of(entries_, [&](const entry& e) {
           return e.role == role && e.numbers.contains(number);
         });
}

} // namespace troupe
