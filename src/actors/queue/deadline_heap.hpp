#pragma once

#include "model/base/ids.hpp"
#include "model/base/time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace troupe {

/// The deadlines of sessions with schedulers, the first one first: a binary heap that knows the
/// place of each. Schedulers without a deadline take 4 bytes each.
class deadline_heap {
public:
  /// For schedulers with lower numbers than this.
  void resize(std::size_t schedulers) { place_of_.resize(schedulers, nowhere); }

  /// Sets the deadline of a scheduler; `instant::max()`: it has none.
  void set(scheduler_id scheduler, instant at) {
    const auto place = place_of_[scheduler];
    if (at == instant::max()) {
      if (place != nowhere)
        remove(place);
    } else if (place == nowhere) {
      heap_.push_back({at, scheduler});
      rise(heap_.size() - 1);
    } else if (at != heap_[place].at) {
      heap_[place].at = at;
      sink(rise(place));
    }
  }

  instant of(scheduler_id scheduler) const {
    const auto place = place_of_[scheduler];
    return place == nowhere ? instant::max() : heap_[place].at;
  }

  /// The first deadline; `instant::max()` if there is none.
  instant first() const { return heap_.empty() ? instant::max() : heap_.front().at; }

  static constexpr auto none = std::numeric_limits<scheduler_id>::max();

  /// Returns the first scheduler, in the order of numbers and from `from` on, whose deadline is at
  /// `now` or before; `none` if there is none. Looks below a place of the heap.
  scheduler_id passed(scheduler_id from, instant now, std::size_t below = 0) const {
    if (below >= heap_.size() || heap_[below].at > now)
      return none;
    const auto mine = heap_[below].scheduler;
    auto least = mine >= from ? mine : none;
    for (const auto child : {2 * below + 1, 2 * below + 2})
      least = std::min(least, passed(from, now, child));
    return least;
  }

private:
  static constexpr auto nowhere = std::numeric_limits<std::uint32_t>::max();

  struct deadline {
    instant at{0};
    scheduler_id scheduler = 0;
  };

  void put(std::size_t place, const deadline& what) {
    heap_[place] = what;
    place_of_[what.scheduler] = static_cast<std::uint32_t>(place);
  }

  std::size_t rise(std::size_t place) {
    const auto what = heap_[place];
    for (; place > 0 && what.at < heap_[(place - 1) / 2].at; place = (place - 1) / 2)
      put(place, heap_[(place - 1) / 2]);
    put(place, what);
    return place;
  }

  void sink(std::size_t place) {
    const auto what = heap_[place];
    for (auto child = 2 * place + 1; child < heap_.size(); child = 2 * place + 1) {
      child += child + 1 < heap_.size() && heap_[child + 1].at < heap_[child].at;
      if (heap_[child].at >= what.at)
        break;
      put(place, heap_[child]);
      place = child;
    }
    put(place, what);
  }

  void remove(std::size_t place) {
    place_of_[heap_[place].scheduler] = nowhere;
    const auto last = heap_.back();
    heap_.pop_back();
    if (place == heap_.size())
      return;
    put(place, last);
    sink(rise(place));
  }

  std::vector<deadline> heap_;
  std::vector<std::uint32_t> place_of_; ///< in the heap, by scheduler
};

} // namespace troupe
