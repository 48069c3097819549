#include "model/discipline/request_line.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// How often the order multifactor is computed anew (as in Slurm, where it is 5 min by default).
constexpr duration sort_period = std::chrono::minutes{1};

/// What starts later than reserved by less than this starts when it was to start.
constexpr duration little = std::chrono::seconds{1};

} // namespace

instant expected_end(const queued_request& what, instant now) {
  const bool a_little_late = what.start <= now && now - what.start < little;
  return end_after(a_little_late ? what.start : now, what.what.length());
}

/// Returns the rank of a request, in the shape that was requested.
start_rank request_line::rank_as_requested(const start_request& what, instant now) const {
  if (what.shapes.empty())
    return rank_of(what, by_, now);
  auto as_requested = what;
  mold(as_requested, what.requested);
  return rank_of(as_requested, by_, now);
}

std::optional<std::size_t> request_line::find(const task_id& first) const {
  const auto rank = ranks_.find(first);
  if (rank == ranks_.end())
    return std::nullopt;
  const auto at = std::ranges::lower_bound(entries_, rank->second, {}, &queued_request::rank);
  return static_cast<std::size_t>(at - entries_.begin());
}

std::optional<queued_request> request_line::rank(const start_request& what, instant now) {
  queued_request made{rank_as_requested(what, now), what};
  return ranks_.contains(what.first) ? std::nullopt : std::optional{std::move(made)};
}

std::size_t request_line::insert(queued_request added) {
  ranks_.emplace(added.what.first, added.rank);
  const auto at = std::ranges::upper_bound(entries_, added.rank, {}, &queued_request::rank);
  const auto index = at - entries_.begin();
  entries_.insert(at, std::move(added));
  return static_cast<std::size_t>(index);
}

void request_line::erase(std::size_t index) {
  without_place_ -= entries_[index].no_place ? 1 : 0;
  ranks_.erase(entries_[index].what.first);
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(index));
}

void request_line::set_cluster(const resource_sum& has) {
  by_.cluster = has;
  has_to_sort_ = true;
}

bool request_line::sort_again(instant now) {
  const bool is_time = has_to_sort_ || now - sorted_at_ >= sort_period;
  if (by_.order != start_order::multifactor || !is_time)
    return false;
  has_to_sort_ = false;
  sorted_at_ = now;
  for (auto& e : entries_)
    ranks_[e.what.first] = e.rank = rank_as_requested(e.what, now);
  std::ranges::sort(entries_, {}, &queued_request::rank);
  return true;
}

void request_line::note_no_place(std::size_t index) {
  entries_[index].no_place = true;
  entries_[index].was_without_place = true;
  ++without_place_;
}

bool request_line::forget_no_place() {
  if (without_place_ == 0)
    return false;
  for (auto& e : entries_)
    e.no_place = false;
  without_place_ = 0;
  return true;
}

} // namespace troupe
