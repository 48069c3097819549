#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace troupe {

/// Keeps the buffers of arrays that are not used any more, for the next arrays. The C library's
/// allocator is slow for arrays as long as a partition. Each thread keeps at most `most` bytes: as
/// much as is on its way in one round to 200 schedulers of a cluster of 1,000,000 machines.
template <class T>
class spare_buffers {
public:
  static constexpr std::size_t most = std::size_t{8} << 20;

  /// Returns a copy of `of`.
  static std::vector<T> copy(const std::vector<T>& of) {
    auto& from = kept();
    if (of.empty() || from.all.empty())
      return of;
    auto to = std::move(from.all.back());
    from.all.pop_back();
    from.bytes -= to.capacity() * sizeof(T);
    if (!from.all.empty())
      prefetch(from.all.back());
    to.assign(of.begin(), of.end());
    return to;
  }

  /// Keeps the buffer of an array that is not used any more.
  static void give(std::vector<T>&& used) {
    auto& to = kept();
    const auto bytes = used.capacity() * sizeof(T);
    if (bytes == 0 || to.bytes + bytes > most)
      return;
    to.bytes += bytes;
    to.all.push_back(std::move(used));
  }

private:
  /// Fetches the memory of the buffer that is next to be written: it was last used long ago.
  static void prefetch(const std::vector<T>& next) {
    constexpr std::size_t line = 64;
    const auto* const from = reinterpret_cast<const char*>(next.data());
    for (std::size_t at = 0; at < next.capacity() * sizeof(T); at += line)
      __builtin_prefetch(from + at, 1);
  }

  struct buffers {
    std::vector<std::vector<T>> all;
    std::size_t bytes = 0;
  };

  static buffers& kept() {
    thread_local buffers mine;
    return mine;
  }
};

} // namespace troupe
