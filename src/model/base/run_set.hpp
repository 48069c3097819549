#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace troupe {

/// Identifies one run of a task among all runs that an executor has started, counted from 1. 0:
/// none.
using run_number = std::uint64_t;

/// A set of runs that fills from the low numbers up, for example the runs that have ended, where
/// runs are numbered in the order of their starts. It stores one bit for each run after the first
/// missing one.
class run_set {
public:
  void insert(run_number run);

  bool contains(run_number run) const {
    const auto word = run / bits;
    if (word < first_)
      return true;
    return word - first_ < words_.size() && ((words_[word - first_] >> (run % bits)) & 1) != 0;
  }

  /// The size of the set in memory, in words.
  std::size_t words() const { return words_.size(); }

private:
  static constexpr run_number bits = 64;

  run_number first_ = 0;               ///< all runs of earlier words are members
  std::deque<std::uint64_t> words_{1}; ///< 0 is a member, since no run has this number
};

} // namespace troupe
