#include "runtime/huge_pages.hpp"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/mman.h>

namespace troupe {

namespace {

constexpr std::uintptr_t huge_page = 2 << 20;

#ifdef MADV_COLLAPSE
constexpr int collapse = MADV_COLLAPSE;
#else
constexpr int collapse = 25; // Linux 6.1 and later; older ones refuse it
#endif

/// Advises on the huge pages that lie wholly in the range of a line of /proc/self/maps.
void advise(std::string_view line) {
  std::uintptr_t from = 0;
  std::uintptr_t to = 0;
  const auto* end = line.data() + line.size();
  const auto [dash, e1] = std::from_chars(line.data(), end, from, 16);
  if (e1 != std::errc{} || dash == end || std::from_chars(dash + 1, end, to, 16).ec != std::errc{})
    return;
  from = (from + huge_page - 1) / huge_page * huge_page;
  to = to / huge_page * huge_page;
  if (from < to) {
    auto* start = reinterpret_cast<void*>(from);
    if (madvise(start, to - from, MADV_HUGEPAGE) == 0)
      madvise(start, to - from, collapse);
  }
}

} // namespace

void use_huge_pages() {
  std::ifstream maps{"/proc/self/maps"};
  for (std::string line; std::getline(maps, line);)
    if (line.ends_with("[heap]"))
      advise(line);
}

} // namespace troupe
