#pragma once

#include "model/base/ids.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace troupe {

/// The partitions of a view, most recently refreshed first. To move the least recently refreshed
/// one to the front takes a few steps; another one takes a step for each partition behind it.
class freshness_order {
public:
  /// Starts in the order of numbers.
  explicit freshness_order(std::size_t partitions)
    : size_(partitions), first_(partitions), places_(2 * partitions) {
    std::iota(places_.begin() + std::ptrdiff_t(first_), places_.end(), partition_id{0});
  }

  std::span<const partition_id> all() const { return {places_.data() + first_, size_}; }

  void move_to_front(partition_id p) {
    if (first_ == 0) {
      std::copy_n(places_.begin(), size_, places_.begin() + std::ptrdiff_t(size_));
      first_ = size_;
    }
    const auto begin = places_.begin() + std::ptrdiff_t(first_);
    auto behind = begin + std::ptrdiff_t(size_);
    while (*(behind - 1) != p)
      --behind;
    std::copy(behind, begin + std::ptrdiff_t(size_), behind - 1);
    places_[--first_] = p;
  }

private:
  std::size_t size_;
  std::size_t first_;                ///< the place of the first
  std::vector<partition_id> places_; ///< with room for as many before the first
};

} // namespace troupe
