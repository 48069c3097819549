#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace troupe {

/// An instant at which events are due, and the bucket with these events.
struct due_instant {
  std::int64_t due = 0; ///< ns
  std::uint32_t bucket = 0;

  friend bool operator<(const due_instant& a, const due_instant& b) { return a.due < b.due; }
};

/// A priority queue of instants, each there once, earliest first: an implicit heap with four
/// children per node, which is as shallow as one cache line per level allows (LaMarca, Ladner: The
/// Influence of Caches on the Performance of Heaps, JEA 1996).
class instant_heap {
public:
  bool empty() const { return instants_.empty(); }
  std::size_t size() const { return instants_.size(); }

  /// Returns the earliest instant; the heap must not be empty.
  const due_instant& top() const { return instants_.front(); }

  void push(const due_instant& x) {
    instants_.push_back(x);
    sift_up(instants_.size() - 1, x);
  }

  /// Removes the earliest instant; the heap must not be empty.
  void pop() {
    const auto last = instants_.back();
    instants_.pop_back();
    if (!instants_.empty())
      sift_down(0, last);
  }

  /// Removes every instant of which `dead(instant)` is true.
  template <class Predicate>
  void remove_if(Predicate dead) {
    std::erase_if(instants_, dead);
    for (std::size_t i = instants_.size() / arity + 1; i-- > 0;)
      if (i < instants_.size())
        sift_down(i, due_instant{instants_[i]});
  }

  void clear() { instants_.clear(); }

private:
  static constexpr std::size_t arity = 4;

  void sift_up(std::size_t i, const due_instant& x) {
    while (i > 0) {
      const std::size_t parent = (i - 1) / arity;
      if (!(x < instants_[parent]))
        break;
      instants_[i] = instants_[parent];
      i = parent;
    }
    instants_[i] = x;
  }

  void sift_down(std::size_t i, const due_instant& x) {
    const std::size_t size = instants_.size();
    for (;;) {
      const std::size_t first = i * arity + 1;
      if (first >= size)
        break;
      std::size_t least = first;
      for (std::size_t c = first + 1; c < size && c < first + arity; ++c)
        if (instants_[c] < instants_[least])
          least = c;
      if (!(instants_[least] < x))
        break;
      instants_[i] = instants_[least];
      i = least;
    }
    instants_[i] = x;
  }

  std::vector<due_instant> instants_;
};

} // namespace troupe
