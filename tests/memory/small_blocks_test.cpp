#include "memory/small_blocks.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <malloc.h>
#include <new>
#include <set>
#include <thread>
#include <vector>

using namespace troupe;

namespace {

std::vector<void*> take(std::size_t count, std::size_t bytes) {
  std::vector<void*> blocks;
  blocks.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    blocks.push_back(::operator new(bytes));
    std::memset(blocks.back(), 0x5a, bytes);
  }
  return blocks;
}

/// Gives the blocks back, with their size or without.
void give_back(const std::vector<void*>& blocks, std::size_t bytes, bool sized) {
  for (auto* const block : blocks)
    if (sized)
      ::operator delete(block, bytes);
    else
      ::operator delete(block);
}

/// The bytes that malloc has given out.
std::size_t in_use() {
  return mallinfo2().uordblks;
}

} // namespace

TEST_CASE("blocks that were given back are used again, for the same size, and are apart") {
  for (const std::size_t bytes : {1U, 8U, 9U, 24U, 25U, 40U, 100U, 200U, 500U})
    for (const bool sized : {true, false}) {
      CAPTURE(bytes);
      CAPTURE(sized);
      const auto first = take(200, bytes);
      give_back(first, bytes, sized);
      const auto second = take(200, bytes);
      CHECK(std::set<void*>(second.begin(), second.end()).size() == 200);
      if (bytes >= 9 ||
          sized) // of the least blocks malloc does not tell how few bytes were asked for
        CHECK(std::set<void*>(first.begin(), first.end()) ==
              std::set<void*>(second.begin(), second.end()));
      for (auto* const block : second)
        CHECK(malloc_usable_size(block) >= bytes);
      give_back(second, bytes, sized);
    }
}

TEST_CASE("a thread keeps no more than the limit, and nothing when it ends") {
  constexpr std::size_t bytes = 104; // malloc's block has 112
  constexpr std::size_t count = 20 * small_block_bytes / 112;
  std::size_t kept = 0;
  const auto before = in_use();
  std::thread{[&] {
    const auto begun = in_use();
    give_back(take(count, bytes), bytes, true);
    kept = in_use() - begun;
  }}.join();
  CHECK(kept > small_block_bytes / 2);
  CHECK(kept < 2 * small_block_bytes);
  CHECK(in_use() < before + small_block_bytes / 2);
}

TEST_CASE("blocks that another thread gives back do not pile up") {
  const auto before = in_use();
  for (int round = 0; round < 50; ++round) {
    const auto blocks = take(10000, 104);
    std::thread{[&] { give_back(blocks, 104, true); }}.join();
  }
  CHECK(in_use() < before + 4 * small_block_bytes);
}

TEST_CASE("large blocks are malloc's alone") {
  const auto before = in_use();
  give_back(take(100, small_block_limit), small_block_limit, true);
  give_back(take(100, small_block_limit + 1000), small_block_limit + 1000, false);
  CHECK(in_use() < before + small_block_bytes / 2);
}
