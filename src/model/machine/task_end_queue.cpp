#include "model/machine/task_end_queue.hpp"

#include <stdexcept>

namespace troupe {

task_end_queue::task_end_queue(duration tick) : tick_(tick), latest_(buckets_.end()) {
  if (tick <= duration::zero())
    throw std::invalid_argument("the tick of a queue of task ends must be longer than 0");
}

instant task_end_queue::next() const {
  return buckets_.empty() ? instant::max() : instant{buckets_.begin()->first * tick_.count()};
}

void task_end_queue::add(const entry& e) {
  const auto due = (e.end.at.count() + tick_.count() - 1) / tick_.count();
  // Ends of equal tasks come in order: most belong in the bucket of the previous one or behind it.
  if (latest_ == buckets_.end() || latest_->first != due) {
    latest_ = buckets_.try_emplace(due).first;
    if (latest_->second.empty() && !spare_.empty()) {
      latest_->second = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  latest_->second.push_back(e);
  ++size_;
}

void task_end_queue::take_due(instant now, std::vector<entry>& out) {
  while (!buckets_.empty() && next() <= now) {
    auto first = buckets_.begin();
    auto& ends = first->second;
    out.insert(out.end(), ends.begin(), ends.end());
    size_ -= ends.size();
    ends.clear();
    spare_.push_back(std::move(ends));
    if (latest_ == first)
      latest_ = buckets_.end();
    buckets_.erase(first);
  }
}

} // namespace troupe
