#include "hunt/seed_range.hpp"

#include <charconv>

namespace troupe {

namespace {

bool read_seed(std::string_view text, std::uint64_t& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc{} && end == text.data() + text.size() && into <= 9223372036854775807;
}

} // namespace

bool read_seeds(std::string_view text, seed_range& into) {
  const auto dots = text.find("..");
  if (dots == std::string_view::npos)
    return read_seed(text, into.first) && read_seed(text, into.last);
  return read_seed(text.substr(0, dots), into.first) &&
         read_seed(text.substr(dots + 2), into.last) && into.first <= into.last;
}

std::string check_seeds(const std::string& text) {
  seed_range range;
  return read_seeds(text, range)
           ? ""
           : '\'' + text + "' is not a range of seeds; expected one such as 1..1000";
}

} // namespace troupe
