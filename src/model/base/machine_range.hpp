#pragma once

#include "model/base/ids.hpp"

#include <cstddef>
#include <iterator>

namespace troupe {

/// Machines with consecutive numbers, as a range.
class machine_range {
public:
  class iterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = machine_id;
    using difference_type = std::ptrdiff_t;
    using pointer = const machine_id*;
    using reference = machine_id;

    constexpr iterator() = default;
    constexpr explicit iterator(machine_id at) : at_(at) {}

    constexpr machine_id operator*() const { return at_; }

    constexpr iterator& operator++() {
      ++at_;
      return *this;
    }

    constexpr iterator operator++(int) { return iterator{at_++}; }

    friend constexpr bool operator==(iterator, iterator) = default;

  private:
    machine_id at_ = 0;
  };

  /// From `first` up to `end`, which is not included.
  constexpr machine_range(machine_id first, machine_id end) : first_(first), end_(end) {}

  constexpr iterator begin() const { return iterator{first_}; }
  constexpr iterator end() const { return iterator{end_}; }
  constexpr std::size_t size() const { return end_ - first_; }
  constexpr bool empty() const { return first_ == end_; }
  constexpr machine_id operator[](std::size_t i) const {
    return first_ + static_cast<machine_id>(i);
  }

private:
  machine_id first_;
  machine_id end_;
};

} // namespace troupe
