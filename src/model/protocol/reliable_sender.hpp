#pragma once

#include "model/base/time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// Items with consecutive numbers, as they are sent.
template <class T>
struct channel_run {
  std::uint64_t first = 1; ///< number of the first of `items`
  std::vector<T> items{};
};

/// The sending side of a `reliable_channel`.
///
/// Only the first unacknowledged item has a timer: the receiver needs it before the others. It is
/// overdue after `patience`, or after twice the slowest recent answer if that is longer. Each
/// repetition without an answer doubles that, up to eight times `patience`. A long delay therefore
/// does not multiply the messages. A sender of few items may repeat at an even pace instead, so
/// that losses delay them less.
template <class T>
class reliable_sender {
public:
  enum class pace : std::uint8_t { backs_off, even };

  reliable_sender() = default;
  explicit reliable_sender(pace repeats) : pace_(repeats) {}

  /// The greatest number of items in a run.
  static constexpr std::size_t most_at_once = 1000;

  /// Starts a session, without items. They are numbered from `base` + 1.
  void reset(std::uint64_t session, std::uint64_t base = 0) {
    session_ = session;
    base_ = base;
    begin_ = fresh_ = 0;
    kept_.clear();
    slowest_ = duration::zero();
    repeats_ = 0;
  }

  std::uint64_t session() const { return session_; }

  /// Adds an item. Returns its number.
  std::uint64_t put(T item) {
    kept_.push_back({std::move(item), instant{0}, false});
    return last();
  }

  /// The number of the last item.
  std::uint64_t last() const { return base_ + kept_.size() - begin_; }

  /// The number of the last acknowledged item.
  std::uint64_t acknowledged() const { return base_; }

  /// The number of unacknowledged items.
  std::size_t size() const { return kept_.size() - begin_; }
  bool empty() const { return size() == 0; }

  /// The unacknowledged items, in order.
  const T& operator[](std::size_t i) const { return kept_[begin_ + i].item; }

  bool has_new() const { return fresh_ < size(); }

  bool overdue(instant now, duration patience) const {
    return fresh_ > 0 && now >= kept_[begin_].sent + wait(patience);
  }

  /// Returns whether anything has to be sent.
  bool due(instant now, duration patience) const { return has_new() || overdue(now, patience); }

  /// Returns the next run to send, or nothing. Call it until it returns nothing.
  std::optional<channel_run<T>> next(instant now, duration patience) {
    if (!overdue(now, patience))
      return next_new(now);
    repeats_ = std::min(repeats_ + 1, most_repeats);
    return run_from(0, now, patience);
  }

  /// Returns the next run of items that were never sent, or nothing.
  std::optional<channel_run<T>> next_new(instant now) {
    if (!has_new())
      return std::nullopt;
    return run_from(fresh_, now, duration::zero());
  }

  /// Records that the receiver of a session needs no items up to a number any more, sent or not.
  void acknowledge(std::uint64_t session, std::uint64_t number, instant now) {
    if (session != session_ || number <= base_)
      return;
    const auto n = std::min<std::size_t>(number - base_, size());
    time_answer(std::min(n, fresh_), now);
    base_ += n;
    begin_ += n;
    fresh_ -= std::min(n, fresh_);
    if (empty()) { // of the many channels of a member, few have items at a time
      kept_ = std::vector<kept_item>{};
      begin_ = 0;
      repeats_ = 0;
    } else if (begin_ > kept_.size() / 2) {
      kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(begin_));
      begin_ = 0;
    }
  }

private:
  static constexpr unsigned most_repeats = 3;

  struct kept_item {
    T item;
    instant sent{0};
    bool repeated = false;
  };

  /// Ends before the first item that was sent less than `patience` ago.
  channel_run<T> run_from(std::size_t from, instant now, duration patience) {
    channel_run<T> run{base_ + from + 1, {}};
    auto i = from;
    for (; i < size() && i - from < most_at_once; ++i) {
      auto& kept = kept_[begin_ + i];
      if (i < fresh_ && now < kept.sent + patience)
        break;
      kept.repeated = i < fresh_;
      kept.sent = now;
      run.items.push_back(kept.item);
    }
    fresh_ = std::max(fresh_, i);
    return run;
  }

  /// Learns how long the answer to the first `n` items took, unless one of them was repeated: the
  /// others may have waited for it at the receiver.
  void time_answer(std::size_t n, instant now) {
    const auto first = kept_.begin() + static_cast<std::ptrdiff_t>(begin_);
    const auto end = first + static_cast<std::ptrdiff_t>(n);
    if (std::any_of(first, end, [](const kept_item& k) { return k.repeated; }))
      return;
    for (auto k = first; k != end; ++k) {
      slowest_ = std::max<duration>(now - k->sent, slowest_ - slowest_ / 8);
      repeats_ = 0;
    }
  }

  duration wait(duration patience) const {
    if (pace_ == pace::even)
      return patience;
    const auto most = patience * (1 << most_repeats);
    return std::min<duration>(std::max<duration>(patience, 2 * slowest_) * (1 << repeats_), most);
  }

  pace pace_ = pace::backs_off;
  std::uint64_t session_ = 0;
  std::uint64_t base_ = 0;      ///< the last acknowledged number
  std::size_t begin_ = 0;       ///< index of the first unacknowledged item in `kept_`
  std::vector<kept_item> kept_; ///< unacknowledged items, after recently acknowledged ones
  std::size_t fresh_ = 0;       ///< how many unacknowledged items were sent
  duration slowest_{0};         ///< recent answer to an item that was sent once; decays
  unsigned repeats_ = 0;        ///< of the first item since the last answer
};

} // namespace troupe
