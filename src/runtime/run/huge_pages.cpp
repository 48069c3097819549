#include "runtime/run/huge_pages.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <vector>

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
constexpr std::size_t most_bytes = std::size_t{2} << 30;

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

/// Makes malloc take `bytes` from the kernel and keep them, as far as the kernel provides them.
void grow(std::size_t bytes) {
  // The largest block that malloc does not map on its own.
  constexpr std::size_t largest = 16 << 20;
  mallopt(M_MMAP_THRESHOLD, 2 * largest);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  std::vector<std::unique_ptr<char[]>> blocks;
  for (std::size_t taken = 0; taken < bytes; taken += largest) {
    std::unique_ptr<char[]> block{new (std::nothrow) char[largest]};
    if (!block)
      return;
    blocks.push_back(std::move(block));
  }
}

} // namespace

void reserve_heap(std::size_t bytes) {
  if (!has_malloc_of_c_library)
    return;
  grow(std::min(bytes, most_bytes));
  std::ifstream maps{"/proc/self/maps"};
  for (std::string line; std::getline(maps, line);)
    if (line.ends_with("[heap]")) {
      advise(line);
      return;
    }
}

} // namespace troupe
