#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace troupe {

/// Numbers, none of them negative, that change one at a time. It finds the highest without a look
/// at each: it has the highest of every block of them, and looks again only at blocks that have
/// changed.
class highest_numbers {
public:
  highest_numbers() = default;

  /// Starts with `size` numbers, each 0.
  explicit highest_numbers(std::size_t size)
    : numbers_(size), highest_((size + block - 1) / block, unknown) {}

  std::span<const double> numbers() const { return numbers_; }

  void set(std::size_t index, double number) {
    numbers_[index] = number;
    highest_[index / block] = unknown;
  }

  /// Returns the index of the highest number, of equal ones the first at or, wrapping around, after
  /// `start`; how many numbers there are if all are 0.
  std::size_t first_highest(std::size_t start) const {
    double most = 0;
    for (std::size_t b = 0; b < highest_.size(); ++b) {
      if (highest_[b] == unknown)
        highest_[b] = highest_in(b);
      most = std::max(most, highest_[b]);
    }
    if (!(most > 0))
      return numbers_.size();
    const auto after = find(most, start, numbers_.size());
    return after < numbers_.size() ? after : find(most, 0, start);
  }

private:
  static constexpr std::size_t block = 16;
  static constexpr double unknown = -1;

  /// Looks at the numbers of a block.
  double highest_in(std::size_t b) const {
    const auto end = std::min(numbers_.size(), (b + 1) * block);
    double most = 0;
    for (auto i = b * block; i < end; ++i)
      most = std::max(most, numbers_[i]);
    return most;
  }

  /// Returns the first index in [from, to) with this number; `to` if there is none.
  std::size_t find(double number, std::size_t from, std::size_t to) const {
    while (from < to) {
      const auto b = from / block;
      const auto end = std::min(to, (b + 1) * block);
      if (highest_[b] == number)
        for (; from < end; ++from)
          if (numbers_[from] == number)
            return from;
      from = end;
    }
    return to;
  }

  std::vector<double> numbers_;
  mutable std::vector<double> highest_; ///< by block; `unknown` until it is asked for
};

} // namespace troupe
