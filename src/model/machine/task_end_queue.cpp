#include "model/machine/task_end_queue.hpp"

#include <stdexcept>
#include <string>

namespace troupe {

task_end_queue::packed::packed(const entry& e)
  : job(e.end.task.job),
    at(e.end.at),
    run(e.run),
    index(e.end.task.index),
    machine(e.end.machine),
    grant(e.end.grant),
    launcher(e.launcher % launchers),
    outcome(static_cast<std::uint32_t>(e.end.outcome) % 16),
    by_scheduler(e.by_scheduler) {}

task_end_queue::entry task_end_queue::packed::unpacked() const {
  return {{{job, index}, machine, static_cast<task_outcome>(outcome), at, grant},
          launcher,
          by_scheduler != 0,
          run};
}

task_end_queue::task_end_queue(duration tick) : tick_(tick), latest_(buckets_.end()) {
  if (tick <= duration::zero())
    throw std::invalid_argument("the tick of a queue of task ends must be longer than 0");
}

instant task_end_queue::next() const {
  return buckets_.empty() ? instant::max() : instant{buckets_.begin()->first * tick_.count()};
}

void task_end_queue::add(const entry& e) {
  if (e.launcher >= launchers)
    throw std::out_of_range("a queue of task ends has no member " + std::to_string(e.launcher));
  const auto due = (e.end.at.count() + tick_.count() - 1) / tick_.count();
  // Ends of equal tasks come in order: most belong in the bucket of the previous one or behind it.
  if (latest_ == buckets_.end() || latest_->first != due) {
    latest_ = buckets_.try_emplace(due).first;
    if (latest_->second.empty() && !spare_.empty()) {
      latest_->second = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  latest_->second.emplace_back(e);
  ++size_;
}

void task_end_queue::take_due(instant now, std::vector<entry>& out) {
  while (!buckets_.empty() && next() <= now) {
    auto first = buckets_.begin();
    auto& ends = first->second;
    for (const auto& e : ends)
      out.push_back(e.unpacked());
    size_ -= ends.size();
    ends.clear();
    spare_.push_back(std::move(ends));
    if (latest_ == first)
      latest_ = buckets_.end();
    buckets_.erase(first);
  }
}

} // namespace troupe
