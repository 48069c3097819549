#include "workload/trace_source.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace troupe {

trace_source::trace_source(const workload_settings& settings, random_stream random)
  : reader_(settings.file, settings.trace),
    requests_(settings),
    replicas_(settings.trace.replicas),
    jitter_(settings.trace.jitter),
    requests_random_(random()),
    jitter_random_(random()),
    limit_(settings.jobs == 0 ? std::numeric_limits<std::uint64_t>::max() : settings.jobs) {}

std::optional<job> trace_source::next() {
  if (next_id_ == limit_)
    return std::nullopt;
  while (!ended_ && (waiting_.empty() || waiting_.front().submitted > read_to_))
    read_row();
  if (waiting_.empty())
    return std::nullopt;
  std::pop_heap(waiting_.begin(), waiting_.end());
  const auto [submitted, order, row] = std::move(waiting_.back());
  waiting_.pop_back();
  job made;
  made.id = next_id_++;
  made.submitted = submitted;
  made.estimate = row->estimate;
  auto& group = made.groups.emplace_back();
  group.count = row->tasks;
  requests_.fill(group, requests_random_);
  if (row.use_count() == 1)
    group.durations = std::move(row->durations);
  else
    group.durations = row->durations;
  return made;
}

void trace_source::read_row() {
  const auto row = std::make_shared<trace_row>();
  if (!reader_.next(*row)) {
    ended_ = true;
    return;
  }
  row->durations.shrink_to_fit();
  read_to_ = row->submitted;
  const auto choices = static_cast<std::uint64_t>(jitter_.count()) + 1;
  for (std::uint32_t i = 0; i < replicas_; ++i) {
    const duration late{static_cast<std::int64_t>(jitter_random_.below(choices))};
    waiting_.push_back({row->submitted + late, order_++, row});
    std::push_heap(waiting_.begin(), waiting_.end());
  }
}

} // namespace troupe
