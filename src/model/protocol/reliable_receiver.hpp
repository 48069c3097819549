#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace troupe {

/// The receiving side of a `reliable_channel`.
template <class T>
class reliable_receiver {
public:
  /// Items that arrive too early are kept up to this distance ahead. Others are dropped, and must
  /// be sent again.
  static constexpr std::uint64_t window = 4096;

  /// Starts a session. Items up to `seen` are not expected.
  void reset(std::uint64_t session, std::uint64_t seen = 0) {
    session_ = session;
    seen_ = seen;
    owes_ = false;
    early_.reset();
  }

  std::uint64_t session() const { return session_; }

  /// The number up to which all items have arrived.
  std::uint64_t seen() const { return seen_; }

  /// Whether items have arrived since the last acknowledgement.
  bool owes() const { return owes_; }

  /// Records that an acknowledgement is sent.
  void answered() { owes_ = false; }

  /// Receives consecutive items of a session, the first of which has the number `first`. Calls
  /// `handle` for each item whose predecessors have all arrived. `handle` may reset the channel,
  /// which ends the call. Items of another session are ignored.
  template <class Handle>
  void receive(std::uint64_t session, std::uint64_t first, const std::vector<T>& items,
               Handle handle) {
    if (session != session_ || items.empty())
      return;
    owes_ = true;
    for (std::size_t i = 0; i < items.size() && session == session_; ++i) {
      const auto number = first + i;
      if (number == seen_ + 1) {
        ++seen_;
        handle(items[i]);
      } else if (number > seen_ && number - seen_ <= window) {
        if (!early_)
          early_ = std::make_unique<std::map<std::uint64_t, T>>();
        early_->emplace(number, items[i]);
      }
      while (session == session_ && early_ && !early_->empty() &&
             early_->begin()->first <= seen_ + 1) {
        const auto next = early_->extract(early_->begin());
        if (next.key() <= seen_)
          continue;
        ++seen_;
        handle(next.mapped());
      }
    }
    if (early_ && early_->empty())
      early_.reset();
  }

private:
  std::uint64_t session_ = 0;
  std::uint64_t seen_ = 0;
  bool owes_ = false;
  std::unique_ptr<std::map<std::uint64_t, T>> early_; ///< by number; usually null
};

} // namespace troupe
