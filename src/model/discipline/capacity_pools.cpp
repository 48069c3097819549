#include "model/discipline/capacity_pools.hpp"

#include <map>
#include <set>

namespace troupe {

bool capacity_pools::any_others() const {
  return std::ranges::any_of(pools_,
                             [](const counted_pool& p) { return p.others != resource_sum{}; });
}

resource_sum capacity_pools::free() const {
  resource_sum sum = free(0);
  for (std::uint32_t p = 1; p < size(); ++p)
    sum += free(p);
  return sum;
}

std::optional<capacity_pools::pool_run> capacity_pools::end_run(const task_id& task) {
  for (std::uint32_t p = 0; p < size(); ++p)
    if (const auto what = pools_[p].runs.end(task))
      return pool_run{p, *what};
  return std::nullopt;
}

instant capacity_pools::next_end(instant after) const {
  auto next = far_future;
  for (const auto& of : pools_)
    next = std::min(next, of.runs.next_end(after).value_or(far_future));
  return next == far_future ? after : next;
}

void capacity_pools::count_estimate(duration estimate) {
  if (estimate <= duration::zero())
    return;
  lengths_ += to_seconds(estimate);
  ++counted_;
}

duration capacity_pools::others_hold_for() const {
  return counted_ == 0 ? std::chrono::seconds{1}
                       : from_seconds(lengths_ / static_cast<double>(counted_));
}

std::optional<pool_counts> capacity_pools::fit_now(const start_request& what, instant now) const {
  if (windows_ == nullptr)
    return holds_all(free(0), what.need) ? std::optional{pool_counts{}} : std::nullopt;
  return choose(what, now, end_after(now, what.length()),
                [&](std::uint32_t p) { return tasks_in(free(p), what); });
}

pool_counts capacity_pools::open_for(const start_request& what, instant now, instant end) const {
  pool_counts counts(size());
  for (std::uint32_t p = 0; p < size(); ++p)
    if (windows_->admits(p, now, end, what.tenant))
      counts[p] = std::min(what.tasks, tasks_in(free(p), what));
  return counts;
}

pool_start capacity_pools::first_fit(const start_request& what, instant now) const {
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
  for (std::uint32_t p = 0; p < size(); ++p) {
    found.free.push_back(free(p));
    ends.push_back(pools_[p].runs.ends().begin());
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
    if (auto counts = choose(what, at, end_after(at, what.length()),
                             [&](auto p) { return tasks_in(found.free[p], what); })) {
      found.at = at;
      found.counts = *std::move(counts);
      break;
    }
  }
  return found;
}

instant capacity_pools::first_start(const start_request& what, instant now) const {
  if (fit_now(what, now))
    return now;
  if (windows_ != nullptr)
    return std::max(first_fit(what, now).at, now + duration{1});
  auto free_then = free(0);
  auto start = far_future;
  visit_releases(now, [&](instant at, const resource_sum& amount) {
    free_then += amount;
    if (!holds_all(free_then, what.need))
      return true;
    start = std::max(at, now + duration{1});
    return false;
  });
  return start;
}

} // namespace troupe
