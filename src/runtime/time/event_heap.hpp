#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace troupe {

/// One pending event of a clock. Its payload is stored elsewhere, at number `slot`, so that the
/// heap moves few bytes.
struct event {
  std::int64_t due = 0;  ///< ns
  std::uint64_t seq = 0; ///< counts the events, so it is unique
  std::uint32_t tie = 0; ///< orders the events of one instant, before `seq`
  std::uint32_t slot = 0;

  friend bool operator<(const event& a, const event& b) {
    return std::tie(a.due, a.tie, a.seq) < std::tie(b.due, b.tie, b.seq);
  }
};

/// A priority queue of events, earliest first: an implicit heap with four children per node, which
/// is as shallow as two cache lines per level allow (LaMarca, Ladner: The Influence of Caches on
/// the Performance of Heaps, JEA 1996).
class event_heap {
public:
  bool empty() const { return events_.empty(); }
  std::size_t size() const { return events_.size(); }

  /// Returns the earliest event; the heap must not be empty.
  const event& top() const { return events_.front(); }

  void push(const event& e) {
    events_.push_back(e);
    sift_up(events_.size() - 1, e);
  }

  /// Removes the earliest event; the heap must not be empty.
  void pop() {
    const event last = events_.back();
    events_.pop_back();
    if (!events_.empty())
      sift_down(0, last);
  }

  /// Removes every event of which `dead(event)` is true.
  template <class Predicate>
  void remove_if(Predicate dead) {
    std::erase_if(events_, dead);
    for (std::size_t i = events_.size() / arity + 1; i-- > 0;)
      if (i < events_.size())
        sift_down(i, event{events_[i]});
  }

  void clear() { events_.clear(); }

private:
  static constexpr std::size_t arity = 4;

  void sift_up(std::size_t i, const event& e) {
    while (i > 0) {
      const std::size_t parent = (i - 1) / arity;
      if (!(e < events_[parent]))
        break;
      events_[i] = events_[parent];
      i = parent;
    }
    events_[i] = e;
  }

  void sift_down(std::size_t i, const event& e) {
    const std::size_t size = events_.size();
    for (;;) {
      const std::size_t first = i * arity + 1;
      if (first >= size)
        break;
      std::size_t least = first;
      for (std::size_t c = first + 1; c < size && c < first + arity; ++c)
        if (events_[c] < events_[least])
          least = c;
      if (!(events_[least] < e))
        break;
      events_[i] = events_[least];
      i = least;
    }
    events_[i] = e;
  }

  std::vector<event> events_;
};

} // namespace troupe
