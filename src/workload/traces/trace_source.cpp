#include "workload/traces/trace_source.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace troupe {

trace_source::trace_source(const workload_settings& settings, random_stream random,
                           trace_tenants tenants)
  : reader_(open_sorted_trace(settings.file, settings.trace)),
    requests_(settings),
    tenants_(std::move(tenants)),
    keeps_times_(settings.trace.keep_times),
    replicas_(settings.trace.replicas),
    jitter_(settings.trace.jitter),
    requests_random_(random()),
    jitter_random_(random()),
    limit_(settings.jobs == 0 ? std::numeric_limits<std::uint64_t>::max() : settings.jobs) {}

std::optional<job> trace_source::next() {
  if (next_id_ == limit_)
    return std::nullopt;
  while (!ended_ && (waiting_.empty() || waiting_.front().submitted > read_to_))
    read_job();
  if (waiting_.empty())
    return std::nullopt;
  std::pop_heap(waiting_.begin(), waiting_.end());
  const auto [submitted, order, what] = std::move(waiting_.back());
  waiting_.pop_back();
  job made;
  made.id = next_id_++;
  made.submitted = submitted;
  made.estimate = what->estimate;
  made.priority = what->priority;
  made.tenant = tenants_.index_of(what->tenant);
  made.gang = what->gang;
  made.spread = what->spread;
  if (what.use_count() == 1)
    made.groups = std::move(what->groups);
  else
    made.groups = what->groups;
  if (!what->asks)
    for (auto& group : made.groups)
      requests_.fill(group, requests_random_);
  return made;
}

void trace_source::read_job() {
  const auto what = std::make_shared<trace_job>();
  if (!reader_->next(*what)) {
    ended_ = true;
    return;
  }
  for (auto& group : what->groups)
    group.durations.shrink_to_fit();
  if (!keeps_times_) {
    if (!begin_)
      begin_ = what->submitted;
    what->submitted -= *begin_;
  }
  read_to_ = what->submitted;
  const auto choices = static_cast<std::uint64_t>(jitter_.count()) + 1;
  for (std::uint32_t i = 0; i < replicas_; ++i) {
    const duration late{static_cast<std::int64_t>(jitter_random_.below(choices))};
    waiting_.push_back({what->submitted + late, order_++, what});
    std::push_heap(waiting_.begin(), waiting_.end());
  }
}

} // namespace troupe
