#include "runtime/run/huge_pages.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <new>
#include <string>
#include <string_view>
#include <sys/mman.h>

namespace troupe {

namespace {

// AddressSanitizer replaces malloc, marks each byte of a block, and keeps freed blocks: to reserve
// a heap with it would take most of the time of a short run, and gain nothing.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TROUPE_REPLACED_MALLOC
#endif
#endif
#if defined(TROUPE_REPLACED_MALLOC) || defined(__SANITIZE_ADDRESS__)
constexpr bool has_malloc_of_c_library = false;
#else
constexpr bool has_malloc_of_c_library = true;
#endif

constexpr std::uintptr_t huge_page = 2 << 20;
constexpr std::size_t headroom = 256 << 20; // for tasks and messages under way
constexpr std::size_t most_bytes = std::numeric_limits<int>::max(); // as mallopt takes it

/// Advises the kernel about the huge pages that lie wholly in the range of a line of
/// /proc/self/maps.
void advise(std::string_view line) {
  std::uintptr_t from = 0;
  std::uintptr_t to = 0;
  const auto* end = line.data() + line.size();
  const auto [dash, e1] = std::from_chars(line.data(), end, from, 16);
  if (e1 != std::errc{} || dash == end || std::from_chars(dash + 1, end, to, 16).ec != std::errc{})
    return;
  from = (from + huge_page - 1) / huge_page * huge_page;
  to = to / huge_page * huge_page;
  if (from < to)
    madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE); // NOLINT(*-no-int-to-ptr)
}

/// Makes malloc take `bytes` from the kernel and keep them, if the kernel provides them. They are
/// taken at once and not touched: where a byte is touched before the kernel is advised, there is no
/// huge page.
void grow(std::size_t bytes) {
  constexpr int block = 16 << 20;
  constexpr int usual_pad = 128 << 10;
  mallopt(M_MMAP_THRESHOLD, 2 * block); // the most that malloc accepts
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TOP_PAD, static_cast<int>(bytes));
  char* volatile more = new (std::nothrow) char[block]; // volatile: else the compiler omits both
  delete[] more;
  mallopt(M_TOP_PAD, usual_pad);
}

} // namespace

void reserve_heap(std::size_t bytes) {
  if (!has_malloc_of_c_library)
    return;
  grow(std::min(bytes + headroom, most_bytes));
  std::ifstream maps{"/proc/self/maps"};
  for (std::string line; std::getline(maps, line);)
    if (line.ends_with("[heap]")) {
      advise(line);
      return;
    }
}

} // namespace troupe
