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

/// Returns when and where a request is expected to fit, if nobody else waits. Runs that outlive
/// their estimates are expected to end now.
start_queue::pool_start start_queue::first_in_runs(const start_request& what, instant now) const {
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
  pool_start found;
  std::vector<std::map<instant, expected_runs::release>::const_iterator> ends;
  std::vector<bool> others_free(pools_.size());
  for (const auto& of : pools_) {
    found.free.push_back(of.free());
    ends.push_back(of.runs.ends().begin());
  }
  for (const auto at : times) {
    for (std::size_t p = 0; p < pools_.size(); ++p) {
      for (; ends[p] != pools_[p].runs.ends().end() && ends[p]->first <= at; ++ends[p])
        found.free[p] += ends[p]->second.amount;
      if (!others_free[p] && others_end <= at) {
        others_free[p] = true;
        found.free[p] += pools_[p].others;
      }
    }
    if (auto counts = choose_pools(what, at, end_after(at, what.length()),
                                   [&](auto p) { return tasks_in(found.free[p], what); })) {
      found.at = at;
      found.counts = *std::move(counts);
      break;
    }
  }
  return found;
}

void start_queue::reserve_first_in_pools(instant now) {
  const auto& first = entries_.front().what;
  if (pools_now(first, now, false)) {
    spares_.assign(pools_.size(), resource_sum{});
    shadow_ = next_end(now); // there is enough, but not on machines that would do
    return;
  }
  auto found = first_in_runs(first, now);
  shadow_ = found.at;
  spares_ = std::move(found.free); // of all, if it asks for more than there is at present
  for (std::size_t p = 0; p < found.counts.size(); ++p)
    spares_[p] -= amount_of(first, found.counts[p]);
  if (promised_to_ != first.first || shadow_ < promise_) {
    promised_to_ = first.first;
    promise_ = shadow_;
  } else if (promise_ < shadow_ && any_others()) {
    shadow_ = std::max(promise_, now);
    spares_.assign(pools_.size(), resource_sum{});
  }
}

bool start_queue::may_pass_in_pools(const start_request& what, instant now) {
  auto found = pools_now(what, now, true);
  if (found)
    chosen_ = *std::move(found);
  return found.has_value();
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

/// Chooses pools for a request whose reservation is to begin at an instant.
std::optional<start_queue::pool_counts> start_queue::pools_reserved(const start_request& what,
                                                                    instant at) const {
  const auto until = end_after(at, what.length());
  return choose_pools(what, at, until,
                      [&](auto p) { return tasks_in(pools_[p].profile.least(at, until), what); });
}

/// Returns the earliest reservation in [now, before) that a request can be given.
start_queue::pool_start start_queue::first_in_profiles(const start_request& what, instant now,
                                                       instant before) const {
  for (auto at = now; at < before;) {
    if (auto found = pools_reserved(what, at))
      return {at, *std::move(found)};
    auto next = windows_->next_end(at);
    for (const auto& of : pools_)
      next = std::min(next, of.profile.next_step(at));
    at = next;
  }
  return {};
}

/// Reserves what a request needs at the earliest instant, which is no later than that of the
/// reservation that it had; then it keeps that one.
void start_queue::hold_in_pools(entry& e, instant now) {
  auto found = first_in_profiles(e.what, now, e.start);
  if (found.at == far_future)
    return hold(e, e.start);
  reserved_[e.what.first] = std::move(found.counts);
  hold(e, found.at);
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

/// Returns whether there is in all what is reserved for a request, with windows in its pools.
bool start_queue::is_there(const entry& e) const {
  if (windows_ == nullptr) {
    const auto& of = pools_.front();
    return holds_all(resource_sum{of.capacity} += of.others, e.what.need);
  }
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
      reserve(e, now);
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
