#include "model/jobs/limited_tasks.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

bool limited_tasks::holds(std::uint32_t task) const {
  return task >= next_ || std::ranges::find(held_, task) != held_.end();
}

std::optional<std::uint32_t> limited_tasks::take() {
  if (!held_.empty()) {
    const auto task = held_.front();
    held_.pop_front();
    return task;
  }
  return next_ < tasks_ ? std::optional{next_++} : std::nullopt;
}

std::vector<std::uint32_t> limited_tasks::take_all() {
  std::vector<std::uint32_t> all{held_.begin(), held_.end()};
  held_.clear();
  while (next_ < tasks_)
    all.push_back(next_++);
  return all;
}

} // namespace troupe
