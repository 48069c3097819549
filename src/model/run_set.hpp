#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace troupe {

/// Names one run of a task among all that an executor has started, counted from 1. 0: none.
using run_number = std::uint64_t;

/// A set of runs that grows from the low numbers on, in one bit for each run behind the first one
/// that is missing: runs that have ended, of runs that were numbered in the order of their starts.
class run_set {
public:
  void insert(run_number run);

  bool contains(run_number run) const {
    const auto word = run / bits;
    if (word < first_)
      return true;
    return word - first_ < words_.size() && ((words_[word - first_] >> (run % bits)) & 1) != 0;
  }

  /// The memory that it takes, in words.
  std::size_t words() const { return words_.size(); }

private:
  static constexpr run_number bits = 64;

  run_number first_ = 0;               ///< all runs of earlier words are members
  std::deque<std::uint64_t> words_{1}; ///< 0 is a member, since no run has this number
};

} // namespace troupe
