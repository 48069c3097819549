#pragma once

#include "model/time.hpp"

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
  std::uint64_t first = 1; ///< number of the first of
  std::vector<T> items{};
};

/// The sending side of a `reliable_channel`.
///
/// Only the first item that is not acknowledged has a timer: the receiver needs it before the
/// others. It is overdue after `patience`, or after twice the slowest answer of late if that is
/// longer, and each repetition without an answer doubles that up to eight times `patience`. A long
/// delay therefore does not multiply the messages.
template <class T>
class reliable_sender {
public:
  /// Items in a run, at most.
  static constexpr std::size_t most_at_once = 1000;

  /// Begins a session, without items. They count from `base` + 1.
  void reset(std::uint64_t session, std::uint64_t base = 0) {
    session_ = session;
    base_ = base;
    begin_ = fresh_ = 0;
    kept_.clear();
    slowest_ = duration::zero();
    repeats_ = 0;
  }

  std::uint64_t session() const { return session_; }

  /// Takes an item. Returns its number.
  std::uint64_t put(T item) {
    kept_.push_back({std::move(item), instant{0}, false});
    return last();
  }

  /// The number of the latest item.
  std::uint64_t last() const { return base_ + kept_.size() - begin_; }

  /// The number of the latest item of which it is known that it has come.
  std::uint64_t acknowledged() const { return base_; }

  /// How many items are not acknowledged.
  std::size_t size() const { return kept_.size() - begin_; }
  bool empty() const { return size() == 0; }

  /// The items that are not acknowledged, in their order.
  const T& operator[](std::size_t i) const { return kept_[begin_ + i].item; }

  bool has_new() const { return fresh_ < size(); }

  bool overdue(instant now, duration patience) const {
    return fresh_ > 0 && now >= kept_[begin_].sent + wait(patience);
  }

  /// Returns whether something is to be sent.
  bool due(instant now, duration patience) const { return has_new() || overdue(now, patience); }

  /// Returns the next run that is to be sent, or nothing. To be called until there is none.
  std::optional<channel_run<T>> next(instant now, duration patience) {
    const bool again = overdue(now, patience);
    if (!again && !has_new())
      return std::nullopt;
    const auto from = again ? 0 : fresh_;
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
    if (again && repeats_ < most_repeats)
      ++repeats_;
    return run;
  }

  /// Notes that the receiver of a session needs no items up to a number any more, sent or not.
  void acknowledge(std::uint64_t session, std::uint64_t number, instant now) {
    if (session != session_ || number <= base_)
      return;
    const auto n = std::min<std::size_t>(number - base_, size());
    for (std::size_t i = 0; i < std::min(n, fresh_); ++i)
      if (const auto& kept = kept_[begin_ + i]; !kept.repeated) {
        slowest_ = std::max<duration>(now - kept.sent, slowest_ - slowest_ / 8);
        repeats_ = 0;
      }
    base_ += n;
    begin_ += n;
    fresh_ -= std::min(n, fresh_);
    if (begin_ > kept_.size() / 2) {
      kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(begin_));
      begin_ = 0;
    }
    if (kept_.empty())
      repeats_ = 0;
  }

private:
  static constexpr unsigned most_repeats = 3;

  struct kept_item {
    T item;
    instant sent{0};
    bool repeated = false;
  };

  duration wait(duration patience) const {
    const auto most = patience * (1 << most_repeats);
    return std::min<duration>(std::max<duration>(patience, 2 * slowest_) * (1 << repeats_), most);
  }

  std::uint64_t session_ = 0;
  std::uint64_t base_ = 0;      ///< acknowledged up to here
  std::size_t begin_ = 0;       ///< of what is not acknowledged, within
  std::vector<kept_item> kept_; ///< and what has been acknowledged lately
  std::size_t fresh_ = 0;       ///< how many of those that are not acknowledged were sent
  duration slowest_{0};         ///< recent answer to an item that was sent once; it fades
  unsigned repeats_ = 0;        ///< of the first item since the last answer
};

} // namespace troupe
