#pragma once

#include "runtime/time/instant_heap.hpp"
#include "runtime/time/instant_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace troupe {

/// Identifies an event of a calendar until it is taken or cancelled.
struct event_place {
  std::uint32_t bucket = 0;
  std::uint32_t index = 0;

  friend bool operator==(const event_place&, const event_place&) = default;
};

/// The pending events of a clock, in a bucket for each instant at which any are due. A message to
/// many receivers is due at one instant, as messages have the same latency: adding an event then
/// costs no search, and only instants have to be in a heap. The events of an instant are put in
/// order when it has come: by their ties and, where these are equal, in the order of adding.
///
/// `Event` can be moved, and tested as a condition for whether it is there.
template <class Event>
class event_calendar {
public:
  /// Adds an event. `tie` gets the number that puts events of the instant in order.
  template <class Tie>
  event_place add(std::int64_t due, Event&& event, Tie tie) {
    if (due != latest_due_ || latest_ == instant_table::none)
      open(due);
    auto& to = buckets_[latest_];
    const auto index = static_cast<std::uint32_t>(to.events.size());
    to.keys.push_back(std::uint64_t{tie()} << 32 | index);
    to.events.push_back(std::move(event));
    if (to.live++ == 0 && std::exchange(to.empty, false))
      --empty_;
    return {latest_, index};
  }

  /// Whether an event is pending that was not cancelled. Forgets instants that have none.
  bool any() {
    while (!instants_.empty() && buckets_[instants_.top().bucket].live == 0) {
      const auto first = instants_.top();
      instants_.pop();
      close(first);
    }
    return !instants_.empty();
  }

  /// The earliest instant at which an event is due; there must be `any`.
  std::int64_t next() const { return instants_.top().due; }

  /// An event of that instant, if it has not been cancelled.
  const Event& example() const { return buckets_[instants_.top().bucket].events.front(); }

  /// Takes out the events of that instant. Events that are added for it from now on are due at
  /// another one, the next. Returns their number, with cancelled ones. `taken` has them, in order,
  /// until the next call.
  std::size_t take_next() {
    if (taken_ != instant_table::none)
      free_.push_back(taken_);
    const auto first = instants_.top();
    instants_.pop();
    forget(first.due);
    taken_ = first.bucket;
    auto& from = buckets_[taken_];
    std::ranges::sort(from.keys);
    events_.clear();
    keys_.clear();
    keep_some(events_);
    keep_some(keys_);
    std::swap(events_, from.events);
    std::swap(keys_, from.keys);
    from.live = 0;
    return keys_.size();
  }

  std::size_t taken() const { return keys_.size(); }
  Event& taken(std::size_t i) { return events_[index_of(i)]; }
  event_place place_of(std::size_t i) const { return {taken_, index_of(i)}; }

  /// Returns an event that is pending.
  Event& at(const event_place& where) { return buckets_.at(where.bucket).events.at(where.index); }

  /// Cancels an event, which may be among those that were taken. Returns it.
  Event cancel(const event_place& at) {
    if (at.bucket == taken_)
      return std::exchange(events_[at.index], {});
    auto& in = buckets_[at.bucket];
    auto event = std::exchange(in.events[at.index], {});
    if (--in.live == 0) {
      in.events.clear();
      in.keys.clear();
      in.empty = true;
      if (++empty_ >= 1024 && 2 * empty_ > instants_.size())
        forget_empty();
    }
    return event;
  }

  /// Drops everything. Returns it: to destroy an event may use the calendar.
  auto drop_all() {
    auto all = std::pair{std::exchange(buckets_, {}), std::exchange(events_, {})};
    *this = {};
    return all;
  }

private:
  struct bucket {
    std::vector<Event> events;
    std::vector<std::uint64_t> keys; ///< the tie, and the index of the event in the low half
    std::uint32_t live = 0;          ///< events that were not cancelled
    bool empty = false;              ///< all were
  };

  std::uint32_t index_of(std::size_t i) const { return static_cast<std::uint32_t>(keys_[i]); }

  /// Makes the bucket of an instant the latest one.
  void open(std::int64_t due) {
    latest_due_ = due;
    latest_ = table_.find(due);
    if (latest_ != instant_table::none)
      return;
    if (free_.empty()) {
      latest_ = static_cast<std::uint32_t>(buckets_.size());
      buckets_.emplace_back();
    } else {
      latest_ = free_.back();
      free_.pop_back();
    }
    table_.add(due, latest_);
    instants_.push({due, latest_});
  }

  void forget(std::int64_t due) {
    table_.erase(due);
    if (due == latest_due_)
      latest_ = instant_table::none;
  }

  void close(const due_instant& what) {
    forget(what.due);
    buckets_[what.bucket].empty = false;
    free_.push_back(what.bucket);
    --empty_;
  }

  void forget_empty() {
    instants_.remove_if([this](const due_instant& x) {
      const bool is_empty = buckets_[x.bucket].live == 0;
      if (is_empty)
        close(x);
      return is_empty;
    });
  }

  /// Keeps the memory of a buffer for another instant, unless it is much.
  template <class T>
  static void keep_some(std::vector<T>& buffer) {
    if (buffer.capacity() > 1024)
      buffer = std::vector<T>{};
  }

  instant_heap instants_;
  instant_table table_; ///< the same
  std::vector<bucket> buckets_;
  std::vector<std::uint32_t> free_;
  std::int64_t latest_due_ = 0;
  std::uint32_t latest_ = instant_table::none; ///< the bucket of that instant
  std::size_t empty_ = 0;                      ///< instants whose events were all cancelled

  std::vector<Event> events_; ///< that were taken, in the order of adding
  std::vector<std::uint64_t> keys_;
  std::uint32_t taken_ = instant_table::none; ///< their bucket, to which nothing is added
};

} // namespace troupe
