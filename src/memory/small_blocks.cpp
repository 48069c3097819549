#include "memory/small_blocks.hpp"

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <malloc.h>
#include <new>

namespace troupe {

namespace {

/// A block that nobody uses. Blocks of a size are in a list.
struct unused_block {
  unused_block* next;
};

/// Malloc's blocks have room for 24 bytes, or 16, 32 .. more.
constexpr std::size_t step = 16;
constexpr std::size_t sizes = small_block_limit / step;

constexpr std::size_t size_number(std::size_t bytes) {
  return (bytes + step / 2 - 1) / step;
}

constexpr std::size_t bytes_of(std::size_t size) {
  return size * step + step / 2;
}

/// The unused blocks of a thread. Has neither constructor nor destructor, so that it is found
/// without a question whether it exists.
struct blocks_of_thread {
  struct list {
    unused_block* first;
    std::uint32_t room; ///< how many more it may have
  };

  list of[sizes];
  bool begun;
  bool over; ///< the thread ends

  void begin();
  void end();
};

constinit thread_local blocks_of_thread blocks{};

/// Gives the blocks back when the thread ends.
struct end_of_thread {
  ~end_of_thread() { blocks.end(); }
};

void blocks_of_thread::begin() {
  if (begun)
    return;
  begun = true;
  for (std::size_t size = 0; size < sizes; ++size)
    of[size].room = static_cast<std::uint32_t>(small_block_bytes / (bytes_of(size) + step / 2));
  thread_local const end_of_thread ending;
  static_cast<void>(&ending);
}

void blocks_of_thread::end() {
  over = true;
  for (auto& l : of) {
    l.room = 0;
    while (l.first != nullptr) {
      auto* const next = l.first->next;
      std::free(l.first);
      l.first = next;
    }
  }
}

[[gnu::noinline]] void* allocate(std::size_t bytes) {
  for (;;) {
    if (void* const block = std::malloc(bytes == 0 ? 1 : bytes))
      return block;
    const auto handler = std::get_new_handler();
    if (handler == nullptr)
      throw std::bad_alloc{};
    handler();
  }
}

[[gnu::noinline]] void release(void* block) {
  if (!blocks.over)
    blocks.begin();
  std::free(block);
}

inline void give_back(void* block, std::size_t size) {
  if (size < sizes)
    if (auto& to = blocks.of[size]; to.room > 0) {
      auto* const unused = static_cast<unused_block*>(block);
      unused->next = to.first;
      to.first = unused;
      --to.room;
      return;
    }
  release(block);
}

} // namespace

} // namespace troupe

void* operator new(std::size_t bytes) {
  using namespace troupe;
  if (const auto size = size_number(bytes); size < sizes)
    if (auto& from = blocks.of[size]; from.first != nullptr) {
      auto* const block = from.first;
      from.first = block->next;
      ++from.room;
      return block;
    }
  return allocate(bytes);
}

void operator delete(void* block, std::size_t bytes) noexcept {
  if (block != nullptr)
    troupe::give_back(block, troupe::size_number(bytes));
}

void operator delete(void* block) noexcept {
  if (block != nullptr)
    troupe::give_back(block, troupe::size_number(malloc_usable_size(block)));
}
