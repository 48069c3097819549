#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// The marks around the one element of `report.html` that depends on the host and on the wall
/// clock.
inline constexpr std::string_view host_part_begin = "<section id=\"host\">";
inline constexpr std::string_view host_part_end = "</section><!-- host -->";

/// Returns the text of such a page without this element.
inline std::string without_host_part(std::string page) {
  const auto begin = page.find(host_part_begin);
  const auto end = page.find(host_part_end, begin);
  if (begin != std::string::npos && end != std::string::npos)
    page.erase(begin, end + host_part_end.size() - begin);
  return page;
}

} // namespace troupe
