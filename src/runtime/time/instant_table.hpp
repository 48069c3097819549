#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace troupe {

/// Which bucket has the events of an instant: a hash table with linear probing, at most half full.
class instant_table {
public:
  static constexpr auto none = std::numeric_limits<std::uint32_t>::max();

  /// Returns the bucket of an instant, or `none`.
  std::uint32_t find(std::int64_t due) const {
    auto i = home_of(due);
    while (entries_[i].bucket != none && entries_[i].due != due)
      i = (i + 1) & mask_;
    return entries_[i].bucket;
  }

  /// Adds an instant that is not there.
  void add(std::int64_t due, std::uint32_t bucket) {
    if (2 * ++size_ > entries_.size())
      grow();
    put({due, bucket});
  }

  /// Removes an instant that is there.
  void erase(std::int64_t due) {
    auto hole = home_of(due);
    while (entries_[hole].due != due || entries_[hole].bucket == none)
      hole = (hole + 1) & mask_;
    // Entries that are behind the hole, and would not be found then, move into it.
    for (auto i = (hole + 1) & mask_; entries_[i].bucket != none; i = (i + 1) & mask_)
      if (((i - home_of(entries_[i].due)) & mask_) >= ((i - hole) & mask_)) {
        entries_[hole] = entries_[i];
        hole = i;
      }
    entries_[hole].bucket = none;
    --size_;
  }

  void clear() {
    entries_.assign(entries_.size(), {});
    size_ = 0;
  }

private:
  struct entry {
    std::int64_t due = 0;
    std::uint32_t bucket = none;
  };

  std::size_t home_of(std::int64_t due) const {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
    return static_cast<std::size_t>((static_cast<std::uint64_t>(due) * golden) >> 32) & mask_;
  }

  void put(const entry& e) {
    auto i = home_of(e.due);
    while (entries_[i].bucket != none)
      i = (i + 1) & mask_;
    entries_[i] = e;
  }

  void grow() {
    const auto before = std::exchange(entries_, std::vector<entry>(2 * entries_.size()));
    mask_ = entries_.size() - 1;
    for (const auto& e : before)
      if (e.bucket != none)
        put(e);
  }

  std::vector<entry> entries_ = std::vector<entry>(64);
  std::size_t mask_ = entries_.size() - 1;
  std::size_t size_ = 0;
};

} // namespace troupe
