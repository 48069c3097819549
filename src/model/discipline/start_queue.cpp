#include "model/discipline/start_queue.hpp"

#include <algorithm>
#include <cmath>

namespace troupe {

namespace {

/// How often the order multifactor is computed anew (as in Slurm, where it is 5 min by default).
constexpr duration sort_period = std::chrono::minutes{1};

/// What starts later than reserved by less than this starts when it was to start.
constexpr duration little = std::chrono::seconds{1};

} // namespace

start_queue::start_queue(start_discipline discipline, start_ordering by,
                         std::span<const resource> kinds, const machine_windows* windows)
  : discipline_(discipline), by_(std::move(by)), windows_(windows) {
  const auto pools = windows == nullptr ? 1 : windows->classes();
  pools_.reserve(pools);
  for (std::uint32_t p = 0; p < pools; ++p)
    pools_.emplace_back(kinds);
}

// -- what there is --------------------------------------------------------------------------------

void start_queue::gain() {
  changed_ = true;
  try_again();
}

duration start_queue::others_hold_for() const {
  return counted_ == 0 ? std::chrono::seconds{1}
                       : from_seconds(lengths_ / static_cast<double>(counted_));
}

void start_queue::set_capacity(const resource_sum& own, const resource_sum& others, instant now,
                               std::uint32_t in) {
  auto& of = pools_[in];
  if (own == of.capacity && others == of.others)
    return;
  if (discipline_ == start_discipline::conservative) {
    // The profile has all, less what others hold for a while.
    of.profile.advance(now);
    of.profile.add(now, of.others_until, of.others);
    auto change = resource_sum{own} += others;
    change -= resource_sum{of.capacity} += of.others;
    of.profile.add(now, far_future, change);
    shrunk_ = shrunk_ || !holds_all(change, {});
    if (others != resource_sum{}) {
      of.others_until = end_after(now, others_hold_for());
      of.profile.take(now, of.others_until, others);
    }
  }
  of.capacity = own;
  of.others = others;
  may_move_ = true;
  gain();
}

bool start_queue::any_others() const {
  return std::ranges::any_of(pools_,
                             [](const machine_pool& p) { return p.others != resource_sum{}; });
}

resource_sum start_queue::free() const {
  resource_sum sum = pools_.front().free();
  for (std::size_t p = 1; p < pools_.size(); ++p)
    sum += pools_[p].free();
  return sum;
}

void start_queue::begin_run(const task_id& task, const resources& demand, instant end, instant now,
                            std::uint32_t in) {
  auto& of = pools_[in];
  if (of.runs.begin(task, {end, demand}) && discipline_ == start_discipline::conservative)
    of.profile.take(now, end, resource_sum{} + demand);
}

void start_queue::end_run(const task_id& task, instant now) {
  for (auto& of : pools_)
    if (const auto what = of.runs.end(task)) {
      if (discipline_ == start_discipline::conservative && what->end > now) {
        of.profile.add(now, what->end, resource_sum{} + what->demand);
        may_move_ = true;
      }
      gain();
      return;
    }
}

void start_queue::take_back_run(const task_id& task, instant now) {
  for (auto& of : pools_)
    if (const auto what = of.runs.end(task)) {
      if (discipline_ == start_discipline::conservative)
        of.profile.add(now, what->end, resource_sum{} + what->demand);
      return;
    }
}

instant start_queue::next_end(instant after) const {
  auto next = far_future;
  for (const auto& of : pools_)
    next = std::min(next, of.runs.next_end(after).value_or(far_future));
  return next == far_future ? after : next;
}

// -- what waits -----------------------------------------------------------------------------------

void start_queue::add(const start_request& what, instant now) {
  if (what.estimate > duration::zero()) {
    lengths_ += to_seconds(what.estimate);
    ++counted_;
  }
  entry added{rank_as_requested(what, now), what};
  if (!ranks_.try_emplace(what.first, added.rank).second)
    return;
  if (discipline_ == start_discipline::conservative) {
    for (auto& of : pools_)
      of.profile.advance(now);
    move_forward(now);
    reserve(added, now);
  }
  const auto at = std::ranges::upper_bound(entries_, added.rank, {}, &entry::rank);
  const auto index = static_cast<std::size_t>(at - entries_.begin());
  entries_.insert(at, std::move(added));
  if (index < looked_at_) {
    looked_at_ = index;
    changed_ = changed_ || index == 0;
  }
}

std::size_t start_queue::index_of(const task_id& first) const {
  const auto rank = ranks_.find(first);
  if (rank == ranks_.end())
    return entries_.size();
  const auto at = std::ranges::lower_bound(entries_, rank->second, {}, &entry::rank);
  return static_cast<std::size_t>(at - entries_.begin());
}

void start_queue::erase(std::size_t index) {
  without_place_ -= entries_[index].no_place ? 1 : 0;
  ranks_.erase(entries_[index].what.first);
  if (windows_ != nullptr)
    reserved_.erase(entries_[index].what.first);
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(index));
  if (index == 0)
    changed_ = true;
  if (index < looked_at_)
    --looked_at_;
}

bool start_queue::remove(const task_id& first, instant now) {
  const auto index = index_of(first);
  if (index == entries_.size())
    return false;
  if (discipline_ == start_discipline::conservative) {
    for (auto& of : pools_)
      of.profile.advance(now);
    give_back(entries_[index]);
    may_move_ = true;
  }
  erase(index);
  gain();
  return true;
}

std::optional<std::size_t> start_queue::position_of(const task_id& first) const {
  const auto index = index_of(first);
  return index == entries_.size() ? std::nullopt : std::optional{index};
}

instant start_queue::reserved_at(const task_id& first) const {
  const auto index = index_of(first);
  if (index == entries_.size())
    return far_future;
  if (discipline_ == start_discipline::conservative)
    return entries_[index].start;
  return discipline_ == start_discipline::easy && index == 0 ? shadow_ : far_future;
}

void start_queue::sort_again(instant now) {
  if (by_.order != start_order::multifactor || now - sorted_at_ < sort_period)
    return;
  sorted_at_ = now;
  for (auto& e : entries_)
    ranks_[e.what.first] = e.rank = rank_as_requested(e.what, now);
  std::ranges::sort(entries_, {}, &entry::rank);
  changed_ = true;
}

// -- who starts -----------------------------------------------------------------------------------

bool start_queue::may_start(const entry& e, instant now) {
  if (e.no_place)
    return false;
  if (windows_ == nullptr)
    return holds_all(pools_.front().free(), e.what.need);
  auto found = pools_now(e.what, now, false);
  if (found)
    chosen_ = *std::move(found);
  return found.has_value();
}

void start_queue::note_opening(instant now) {
  if (windows_ == nullptr)
    return;
  const auto opening = windows_->next_end(now);
  if (std::exchange(opening_, opening) != opening)
    gain();
}

std::optional<start_request> start_queue::next(instant now) {
  sort_again(now);
  note_opening(now);
  std::optional<std::size_t> found;
  if (discipline_ == start_discipline::easy)
    found = next_of_easy(now);
  else if (discipline_ == start_discipline::conservative)
    found = next_of_conservative(now);
  else if (!entries_.empty()) {
    shape_first(now);
    if (may_start(entries_.front(), now))
      found = 0;
  }
  if (!found)
    return std::nullopt;
  returned_ = *found;
  const auto& e = entries_[returned_];
  const bool passes_nobody = returned_ == 0 || discipline_ == start_discipline::conservative;
  if (windows_ != nullptr && e.was_without_place && passes_nobody)
    chosen_ = open_pools(e, now);
  left_ = chosen_;
  return entries_[returned_].what;
}

instant start_queue::end_of(const entry& e, instant now) const {
  const bool a_little_late =
    discipline_ == start_discipline::conservative && e.start <= now && now - e.start < little;
  return end_after(a_little_late ? e.start : now, e.what.length());
}

instant start_queue::end_of_last(instant now) const {
  return end_of(entries_[returned_], now);
}

std::optional<instant> start_queue::next_due(instant now) const {
  auto due = soonest_ > now ? soonest_ : far_future;
  if (windows_ != nullptr && !entries_.empty())
    due = std::min(due, windows_->next_end(now));
  return due < far_future ? std::optional{due} : std::nullopt;
}

void start_queue::started(instant now) {
  const auto& e = entries_[returned_];
  if (discipline_ == start_discipline::conservative)
    give_back(e);
  else if (returned_ > 0 && end_after(now, e.what.length()) > shadow_) {
    spare_ -= e.what.need;
    for (std::size_t p = 0; p < spares_.size(); ++p)
      spares_[p] -= amount_of(e.what, chosen_[p]);
  }
  erase(returned_);
}

void start_queue::has_no_place(instant now) {
  if (look_wider(entries_[returned_]) || make_narrower(entries_[returned_], now))
    return;
  entries_[returned_].no_place = true;
  entries_[returned_].was_without_place = true;
  ++without_place_;
  if (returned_ == 0)
    changed_ = true;
}

void start_queue::try_again() {
  if (without_place_ == 0)
    return;
  for (auto& e : entries_)
    e.no_place = false;
  without_place_ = 0;
  changed_ = true;
}

} // namespace troupe
