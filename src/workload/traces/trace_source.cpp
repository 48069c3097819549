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
    think_times_(settings.trace.think_times),
    limit_(settings.jobs == 0 ? std::numeric_limits<std::uint64_t>::max() : settings.jobs) {}

std::optional<job> trace_source::next() {
  if (next_id_ == limit_)
    return std::nullopt;
  while (!ended_ && (think_times_ || waiting_.empty() || waiting_.front().submitted > read_to_))
    read_job();
  if (waiting_.empty())
    return std::nullopt;
  std::pop_heap(waiting_.begin(), waiting_.end());
  auto first = std::move(waiting_.back());
  waiting_.pop_back();
  const auto& what = first.what;
  job made;
  made.id = next_id_++;
  made.submitted = first.submitted;
  made.estimate = what->estimate;
  made.priority = what->priority;
  made.tenant = tenants_.index_of(what->tenant);
  made.gang = what->gang;
  made.spread = what->spread;
  if (what.use_count() == 1 && !think_times_)
    made.groups = std::move(what->groups);
  else
    made.groups = what->groups;
  if (!what->asks)
    for (auto& group : made.groups)
      requests_.fill(group, requests_random_);
  if (think_times_) {
    if (const name as{what->number, first.replica}; after_.contains(as))
      open_[made.id] = {as, what->task_count()};
    last_ = std::move(first);
  }
  return made;
}

void trace_source::queue(waiting_job what) {
  waiting_.push_back(std::move(what));
  std::push_heap(waiting_.begin(), waiting_.end());
}

void trace_source::note_end(std::uint64_t number, instant at) {
  const auto open = open_.find(number);
  if (open == open_.end() || --open->second.tasks > 0)
    return;
  if (auto released = after_.extract(open->second.as); !released.empty())
    for (auto& next : released.mapped()) {
      next.submitted = at + next.what->think + next.late;
      queue(std::move(next));
    }
  open_.erase(open);
}

void trace_source::give_back(job last) {
  open_.erase(last.id);
  --next_id_;
  queue(std::move(last_));
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
    waiting_job one{what->submitted + late, order_++, what, i, late};
    if (what->preceding != trace_job::none)
      after_[{what->preceding, i}].push_back(std::move(one));
    else
      queue(std::move(one));
  }
}

} // namespace troupe
