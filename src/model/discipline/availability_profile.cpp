#include "model/discipline/availability_profile.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Steps that are looked at together; a loop of this many becomes a few instructions.
constexpr std::size_t chunk = 16;

} // namespace

availability_profile::availability_profile(std::span<const resource> kinds) {
  for (const auto kind : kinds)
    kinds_.push_back(static_cast<std::size_t>(kind));
  if (kinds_.empty())
    kinds_.push_back(0);
  times_.push_back(instant{0});
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    free_[k].push_back(0);
}

std::size_t availability_profile::step_at(instant at) const {
  const auto after = std::ranges::upper_bound(times_, at);
  return after == times_.begin() ? 0 : static_cast<std::size_t>(after - times_.begin()) - 1;
}

void availability_profile::advance(instant now) {
  const auto first = static_cast<std::ptrdiff_t>(step_at(now));
  if (first < static_cast<std::ptrdiff_t>(chunk))
    return; // few steps of the past do no harm
  times_.erase(times_.begin(), times_.begin() + first);
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    free_[k].erase(free_[k].begin(), free_[k].begin() + first);
}

std::size_t availability_profile::cut(instant at) {
  const auto step = step_at(at);
  if (times_[step] >= at)
    return step;
  const auto next = static_cast<std::ptrdiff_t>(step) + 1;
  times_.insert(times_.begin() + next, at);
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    free_[k].insert(free_[k].begin() + next, free_[k][step]);
  return step + 1;
}

void availability_profile::join(std::size_t step) {
  if (step == 0 || step >= times_.size())
    return;
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    if (free_[k][step] != free_[k][step - 1])
      return;
  const auto at = static_cast<std::ptrdiff_t>(step);
  times_.erase(times_.begin() + at);
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    free_[k].erase(free_[k].begin() + at);
}

void availability_profile::add(instant from, instant to, const resource_sum& amount) {
  if (to <= from)
    return;
  const auto first = cut(from);
  const auto last = to == far_future ? times_.size() : cut(to);
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    if (const auto more = amount.amount[kinds_[k]]; more != 0)
      for (auto i = first; i < last; ++i)
        free_[k][i] += more;
  join(last);
  join(first);
}

void availability_profile::take(instant from, instant to, const resource_sum& amount) {
  add(from, to, resource_sum{} -= amount);
}

bool availability_profile::suffices(std::size_t step, const amounts& need) const {
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    if (free_[k][step] < need[k])
      return false;
  return true;
}

std::size_t availability_profile::next_sufficient(std::size_t step, std::size_t end,
                                                  const amounts& need) const {
  const auto* lead = free_[0].data();
  while (step < end) {
    for (; step + chunk <= end; step += chunk) {
      std::int64_t most = lead[step];
      for (std::size_t i = 1; i < chunk; ++i)
        most = std::max(most, lead[step + i]);
      if (most >= need[0])
        break;
    }
    for (const auto to = std::min(end, step + chunk); step < to; ++step)
      if (suffices(step, need))
        return step;
  }
  return end;
}

instant availability_profile::search(instant from, const resource_sum& need, duration length,
                                     instant before, instant own) const {
  amounts asked{};
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    asked[k] = need.amount[kinds_[k]];
  const auto end =
    static_cast<std::size_t>(std::ranges::lower_bound(times_, before) - times_.begin());
  for (auto step = step_at(from);;) {
    step = next_sufficient(step, end, asked);
    if (step == end)
      return far_future;
    const auto at = std::max(from, times_[step]);
    const auto until = end_after(at, length);
    auto i = step + 1;
    // Its own reservation is its to use.
    while (i < times_.size() && times_[i] < until &&
           suffices(i, times_[i] < own ? asked : amounts{}))
      ++i;
    if (i == times_.size() || times_[i] >= until)
      return at;
    if (times_[i] >= own)
      return far_future; // each later beginning includes this step, too
    step = i + 1;
  }
}

instant availability_profile::find(instant from, const resource_sum& need, duration length,
                                   instant before) const {
  return before <= from ? far_future : search(from, need, length, before, far_future);
}

instant availability_profile::find_earlier(instant from, const resource_sum& need, duration length,
                                           instant own) const {
  return own <= from ? far_future : search(from, need, length, own, own);
}

resource_sum availability_profile::least(instant from, instant to) const {
  resource_sum sum = free(from);
  for (auto i = step_at(from) + 1; i < times_.size() && times_[i] < to; ++i)
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      sum.amount[kinds_[k]] = std::min(sum.amount[kinds_[k]], free_[k][i]);
  return sum;
}

instant availability_profile::next_step(instant after) const {
  const auto next = std::ranges::upper_bound(times_, after);
  return next == times_.end() ? far_future : *next;
}

resource_sum availability_profile::free(instant at) const {
  resource_sum sum;
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    sum.amount[kinds_[k]] = free_[k][step_at(at)];
  return sum;
}

} // namespace troupe
