#include "model/metrics/group_counters.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// Replaces the counts that only grow by their growth since `before`, and returns the result.
task_counts since(task_counts now, const task_counts& before) {
  now.submitted -= before.submitted;
  now.placed -= before.placed;
  now.finished -= before.finished;
  now.failed -= before.failed;
  now.lost -= before.lost;
  now.abandoned -= before.abandoned;
  return now;
}

} // namespace

group_counters::group_counters(std::uint32_t own_group, instant begin)
  : own_group_(own_group), begin_(begin) {
  extend(own_group);
  all_[own_group].known = true;
}

void group_counters::begin(instant at) {
  begin_ = at;
  for (auto& e : all_)
    e.waits = waiting_meter{at};
}

void group_counters::extend(std::uint32_t group) {
  all_.resize(group + std::size_t{1}, entry{{}, {}, waiting_meter{begin_}, false});
}

std::int64_t group_counters::waiting() const {
  std::int64_t n = 0;
  for (const auto& e : all_)
    n += e.waits.tasks();
  return n;
}

task_counts group_counters::total() const {
  task_counts sum;
  for (const auto& e : all_)
    sum += e.now.counts;
  return sum;
}

std::uint64_t group_counters::duplicate_grants() const {
  std::uint64_t n = 0;
  for (const auto& e : all_)
    n += e.now.sample.duplicate_grants;
  return n;
}

bool group_counters::balanced() const {
  return std::ranges::all_of(all_, [](const entry& e) { return e.now.counts.balanced(); });
}

std::vector<group_sample> group_counters::take(instant now) {
  std::vector<group_sample> samples;
  for (std::uint32_t g = 0; g < all_.size(); ++g) {
    auto& e = all_[g];
    e.known = e.known || e.now.counts.submitted > 0 || !e.now.sample.waiting.empty();
    if (!e.known)
      continue;
    e.now.sample.tasks = since(e.now.counts, e.sampled);
    e.now.sample.waited = e.waits.take(now);
    e.sampled = e.now.counts;
    samples.push_back({g, std::exchange(e.now.sample, {})});
  }
  return samples;
}

} // namespace troupe
