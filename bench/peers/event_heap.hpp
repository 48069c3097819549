#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace troupe::peers {

/// An event of the model of Sparrow: what happens, and to which reservation or job.
struct sparrow_event {
  enum class kind : std::uint32_t {
    submission,
    arrival,
    request,
    task,
    nothing,
    end,
    cancellation
  };

  std::int64_t at = 0; ///< ns
  kind what = kind::submission;
  std::uint32_t to = 0;
};

/// A heap of events in one array, with four children to a place: fewer levels than with two.
class event_heap {
public:
  bool empty() const { return events_.empty(); }

  void push(const sparrow_event& event) {
    auto place = events_.size();
    events_.push_back(event);
    for (; place > 0; place = (place - 1) / children) {
      const auto& above = events_[(place - 1) / children];
      if (above.at <= event.at)
        break;
      events_[place] = above;
    }
    events_[place] = event;
  }

  sparrow_event pop() {
    const auto first = events_.front();
    const auto last = events_.back();
    events_.pop_back();
    const auto size = events_.size();
    for (std::size_t place = 0, child = 1; size > 0; child = place * children + 1) {
      if (child >= size) {
        events_[place] = last;
        break;
      }
      auto least = child;
      for (auto c = child + 1; c < std::min(child + children, size); ++c)
        if (events_[c].at < events_[least].at)
          least = c;
      if (events_[least].at >= last.at) {
        events_[place] = last;
        break;
      }
      events_[place] = events_[least];
      place = least;
    }
    return first;
  }

private:
  static constexpr std::size_t children = 4;

  std::vector<sparrow_event> events_;
};

} // namespace troupe::peers
