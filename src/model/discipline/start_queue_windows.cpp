#include "model/discipline/start_queue.hpp"

#include <algorithm>
#include <set>
#include <utility>

// Part of `start_queue`: machines with windows, each class of which is a pool of its own.
namespace troupe {

/// Chooses pools for all tasks of a request among those that are open to it in [from, until): those
/// that close soonest first. `room(pool)` returns how many tasks a pool holds.
template <class Room>
std::optional<start_queue::pool_counts>
start_queue::choose_pools(const start_request& what, instant from, instant until, Room room) const {
  std::vector<std::pair<instant, std::uint32_t>> open;
  for (std::uint32_t p = 0; p < pools_.size(); ++p)
    if (const auto at = windows_->open_until(p, from, what.tenant); at > from && until <= at)
      open.emplace_back(at, p);
  std::ranges::sort(open);
  pool_counts counts(pools_.size());
  auto left = what.tasks;
  for (const auto& [_, p] : open) {
    counts[p] = std::min(left, room(p));
    left -= counts[p];
    if (left == 0)
      return counts;
  }
  return std::nullopt;
}

/// Chooses pools for a request that starts now. `spared`: it takes nothing that is reserved for the
/// first one.
std::optional<start_queue::pool_counts> start_queue::pools_now(const start_request& what,
                                                               instant now, bool spared) const {
  const auto until = end_after(now, what.length());
  return choose_pools(what, now, until, [&](std::uint32_t p) {
    const auto room = tasks_in(pools_[p].free(), what);
    return spared && until > shadow_ ? std::min(room, tasks_in(spares_[p], what)) : room;
  });
}

// -- easy -----------------------------------------------------------------------------------------

void start_queue::reserve_first_in_pools(instant now) {
  const auto& first = entries_.front().what;
  spares_.assign(pools_.size(), resource_sum{});
  if (pools_now(first, now, false)) {
    shadow_ = next_end(now); // there is enough, but not on machines that would do
    return;
  }
  const auto others_end = end_after(now, others_hold_for());
  std::set<instant> times;
  for (const auto& of : pools_) {
    for (const auto& [at, _] : of.runs.ends())
      times.insert(std::max(at, now));
    if (of.others != resource_sum{})
      times.insert(others_end);
  }
  for (auto at = windows_->next_end(now); at != far_future; at = windows_->next_end(at))
    times.insert(at);
  std::vector<resource_sum> free_then;
  std::vector<std::map<instant, expected_runs::release>::const_iterator> ends;
  std::vector<bool> others_free(pools_.size());
  for (const auto& of : pools_) {
    free_then.push_back(of.free());
    ends.push_back(of.runs.ends().begin());
  }
  shadow_ = far_future;
  for (const auto at : times) {
    for (std::size_t p = 0; p < pools_.size(); ++p) {
      for (; ends[p] != pools_[p].runs.ends().end() && ends[p]->first <= at; ++ends[p])
        free_then[p] += ends[p]->second.amount;
      if (!others_free[p] && others_end <= at) {
        others_free[p] = true;
        free_then[p] += pools_[p].others;
      }
    }
    if (const auto found = choose_pools(first, at, end_after(at, first.length()),
                                        [&](auto p) { return tasks_in(free_then[p], first); })) {
      shadow_ = at;
      for (std::size_t p = 0; p < pools_.size(); ++p)
        spares_[p] = free_then[p] -= amount_of(first, (*found)[p]);
      break;
    }
  }
  if (shadow_ == far_future)
    spares_ = free_then; // it asks for more than there is at present
  if (promised_to_ != first.first || shadow_ < promise_) {
    promised_to_ = first.first;
    promise_ = shadow_;
  } else if (promise_ < shadow_ && any_others()) {
    shadow_ = std::max(promise_, now);
    spares_.assign(pools_.size(), resource_sum{});
  }
}

// -- conservative ---------------------------------------------------------------------------------

void start_queue::add_to_profiles(const entry& e, int sign) {
  const auto& counts = reserved_.at(e.what.first);
  const auto until = end_after(e.start, e.what.length());
  for (std::size_t p = 0; p < pools_.size(); ++p)
    if (counts[p] > 0) {
      if (sign > 0)
        pools_[p].profile.add(e.start, until, amount_of(e.what, counts[p]));
      else
        pools_[p].profile.take(e.start, until, amount_of(e.what, counts[p]));
    }
}

/// Reserves what a request needs at the earliest instant, which is no later than that of the
/// reservation that it had; then it keeps that one.
void start_queue::hold_in_pools(entry& e, instant now) {
  const auto had = e.start;
  auto at = now;
  while (at < had) {
    const auto until = end_after(at, e.what.length());
    if (auto found = choose_pools(e.what, at, until, [&](auto p) {
          return tasks_in(pools_[p].profile.least(at, until), e.what);
        })) {
      reserved_[e.what.first] = *std::move(found);
      return hold(e, at);
    }
    auto next = windows_->next_end(at);
    for (const auto& of : pools_)
      next = std::min(next, of.profile.next_step(at));
    at = next;
  }
  hold(e, had);
}

/// Returns whether what is reserved for a request stays open until its end if it starts now.
bool start_queue::is_open(const entry& e, instant now) const {
  const auto& counts = reserved_.at(e.what.first);
  for (std::uint32_t p = 0; p < pools_.size(); ++p)
    if (counts[p] > 0 &&
        !windows_->admits(p, std::min(e.start, now), end_of(e, now), e.what.tenant))
      return false;
  return true;
}

/// Returns how many tasks of a request may start now in each pool. Pools are counted without regard
/// to constraints and anti-affinity: a request that found no machines in those that were chosen for
/// it looks in all of them.
start_queue::pool_counts start_queue::open_pools(const entry& e, instant now) const {
  pool_counts counts(pools_.size());
  for (std::uint32_t p = 0; p < pools_.size(); ++p)
    if (windows_->admits(p, now, end_of(e, now), e.what.tenant))
      counts[p] = std::min(e.what.tasks, tasks_in(pools_[p].free(), e.what));
  return counts;
}

/// Returns whether its pools have in all what is reserved for a request there.
bool start_queue::is_there(const entry& e) const {
  const auto& counts = reserved_.at(e.what.first);
  for (std::size_t p = 0; p < pools_.size(); ++p)
    if (counts[p] > 0 && !holds_all(resource_sum{pools_[p].capacity} += pools_[p].others,
                                    amount_of(e.what, counts[p])))
      return false;
  return true;
}

/// What was to start before others ended, who outlived their estimates, may reach into a window
/// now, and what was seen of the machines may have changed: it is given another reservation.
void start_queue::reserve_closed_again(instant now) {
  if (windows_ == nullptr)
    return;
  for (auto& e : entries_)
    if (e.start <= now && (!is_there(e) || !is_open(e, now))) {
      give_back(e);
      e.start = far_future;
      hold_in_pools(e, now);
    }
}

bool start_queue::fits_reserved(const entry& e) {
  const auto& counts = reserved_.at(e.what.first);
  for (std::size_t p = 0; p < pools_.size(); ++p)
    if (counts[p] > 0 && !holds_all(pools_[p].free(), amount_of(e.what, counts[p])))
      return false;
  chosen_ = counts;
  return true;
}

} // namespace troupe
