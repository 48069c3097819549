#pragma once

#include "model/discipline/capacity_pools.hpp"
#include "model/discipline/start_rank.hpp"
#include "model/discipline/start_request.hpp"

#include <cstddef>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

namespace troupe {

/// A request that waits, with its reservation.
struct queued_request {
  start_rank rank;
  start_request what;
  instant start = far_future;     ///< of its reservation; `far_future`: it has none
  pool_counts reserved{};         ///< where that is, with windows
  bool no_place = false;          ///< no machines were found since the last time something ended
  bool was_without_place = false; ///< at least once
};

/// Returns when a request is expected to end if it starts now. What starts a little later than
/// reserved, as messages take time, is expected to end as if it had not: else it would end within
/// the next reservation, and nothing could be placed across that instant.
instant expected_end(const queued_request& what, instant now);

/// The waiting requests, by rank, and which of them found no machines.
class request_line {
public:
  explicit request_line(start_ordering by) : by_(std::move(by)) {}

  /// Sets what sizes of requests are shares of. The order multifactor is computed anew.
  void set_cluster(const resource_sum& has);

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  queued_request& operator[](std::size_t index) { return entries_[index]; }
  const queued_request& operator[](std::size_t index) const { return entries_[index]; }
  queued_request& front() { return entries_.front(); }

  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  /// Returns how many requests are before one; nothing if it is not here.
  std::optional<std::size_t> find(const task_id& first) const;

  /// Returns the entry of a request that is not here yet; nothing if it is.
  std::optional<queued_request> rank(const start_request& what, instant now);

  /// Adds an entry that `rank` returned. Returns its index.
  std::size_t insert(queued_request added);

  void erase(std::size_t index);

  /// Computes the order multifactor anew if it is time. Returns whether it did.
  bool sort_again(instant now);

  /// Notes that no machines were found for a request.
  void note_no_place(std::size_t index);

  /// Forgets that no machines were found. Returns whether any request waited for that.
  bool forget_no_place();

  bool any_without_place() const { return without_place_ > 0; }

private:
  start_rank rank_as_requested(const start_request& what, instant now) const;

  start_ordering by_;
  std::deque<queued_request> entries_;            ///< by rank
  std::unordered_map<task_id, start_rank> ranks_; ///< of those
  std::size_t without_place_ = 0;
  instant sorted_at_{0};
  bool has_to_sort_ = false; ///< at once
};

} // namespace troupe
