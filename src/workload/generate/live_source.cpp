#include "workload/generate/live_source.hpp"

#include <utility>

namespace troupe {

void live_source::push(job accepted) {
  const std::lock_guard lock{mutex_};
  jobs_.push_back(std::move(accepted));
  if (more_)
    more_();
}

void live_source::withdraw(job_id number) {
  const std::lock_guard lock{mutex_};
  withdrawn_.push_back(number);
  if (more_)
    more_();
}

/// Those that `next` has not returned yet wait for that.
std::vector<job_id> live_source::take_withdrawn() {
  const std::lock_guard lock{mutex_};
  if (!jobs_.empty())
    return {};
  return std::exchange(withdrawn_, {});
}

std::optional<job> live_source::next() {
  const std::lock_guard lock{mutex_};
  if (jobs_.empty())
    return std::nullopt;
  auto first = std::move(jobs_.front());
  jobs_.pop_front();
  return first;
}

void live_source::note_over(const task_id& task, task_fate fate) {
  const auto call = [&] {
    const std::lock_guard lock{mutex_};
    return over_;
  }();
  if (call)
    call(task, fate);
}

void live_source::when_over(std::function<void(const task_id&, task_fate)> call) {
  const std::lock_guard lock{mutex_};
  over_ = std::move(call);
}

void live_source::when_more(std::function<void()> call) {
  const std::lock_guard lock{mutex_};
  more_ = std::move(call);
}

} // namespace troupe
