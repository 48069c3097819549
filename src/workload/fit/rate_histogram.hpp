#pragma once

#include "model/base/time.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace troupe {

/// Counts events by time, in steps that double in the course of time, so that there are never more
/// than `steps` of them.
class rate_histogram {
public:
  static constexpr std::size_t steps = 4096;

  void add(instant at, std::uint64_t n = 1) {
    auto i = static_cast<std::size_t>(at / width_);
    while (i >= steps) {
      coarsen();
      i = static_cast<std::size_t>(at / width_);
    }
    if (i >= counts_.size())
      counts_.resize(i + 1);
    counts_[i] += n;
  }

  duration width() const { return width_; }
  const std::vector<std::uint64_t>& counts() const { return counts_; }

private:
  void coarsen() {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      const auto n = counts_[i];
      counts_[i] = 0;
      counts_[i / 2] += n;
    }
    counts_.resize((counts_.size() + 1) / 2);
    width_ *= 2;
  }

  duration width_ = std::chrono::milliseconds{100};
  std::vector<std::uint64_t> counts_;
};

/// Finds the greatest number of events within one of the consecutive intervals of a fixed length
/// from 0 on. Times must not decrease.
class peak_counter {
public:
  explicit peak_counter(duration length) : length_(length) {}

  void add(instant at, std::uint64_t n) {
    const auto stretch = at / length_;
    count_ = stretch == stretch_ ? count_ + n : n;
    stretch_ = stretch;
    peak_ = std::max(peak_, count_);
  }

  std::uint64_t peak() const { return peak_; }

private:
  duration length_;
  std::int64_t stretch_ = -1;
  std::uint64_t count_ = 0;
  std::uint64_t peak_ = 0;
};

} // namespace troupe
