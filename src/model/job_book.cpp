#include "model/job_book.hpp"

#include <algorithm>
#include <stdexcept>

namespace troupe {

namespace {

waiting_task describe(const job& j, const task_group& group, std::uint32_t in_group,
                      std::uint32_t index) {
  return {{j.id, index}, group.demand, group.duration_of(in_group), j.submitted, 0, index == 0, &j,
          &group};
}

} // namespace

void job_book::submit(job accepted) {
  const auto tasks = accepted.task_count();
  if (tasks == 0)
    throw std::invalid_argument("job " + std::to_string(accepted.id) + " has no tasks");
  const auto id = accepted.id;
  const auto [it, added] = open_.try_emplace(id, open_job{std::move(accepted), tasks, instant{0}});
  if (!added)
    throw std::invalid_argument("job " + std::to_string(id) + " was submitted twice");
  fresh_.push_back({&it->second, 0, 0, 0});
  waiting_ += tasks;
}

const waiting_task& job_book::head() {
  if (!again_.empty())
    return again_.back();
  if (!next_ready_) {
    auto& at = fresh_.front();
    while (at.in_group == at.from->what.groups[at.group].count) {
      ++at.group;
      at.in_group = 0;
    }
    next_ = describe(at.from->what, at.from->what.groups[at.group], at.in_group, at.index);
    next_ready_ = true;
  }
  return next_;
}

waiting_task job_book::take_head() {
  const auto task = head();
  --waiting_;
  if (!again_.empty()) {
    again_.pop_back();
    return task;
  }
  next_ready_ = false;
  auto& at = fresh_.front();
  ++at.in_group;
  ++at.index;
  if (at.index == at.from->what.task_count())
    fresh_.pop_front();
  return task;
}

void job_book::put_back(const waiting_task& task) {
  again_.push_back(task);
  ++waiting_;
}

std::optional<waiting_task> job_book::find(const task_id& task) const {
  const auto it = open_.find(task.job);
  if (it == open_.end())
    return std::nullopt;
  std::uint32_t first = 0;
  for (const auto& group : it->second.what.groups) {
    if (task.index < first + group.count)
      return describe(it->second.what, group, task.index - first, task.index);
    first += group.count;
  }
  return std::nullopt;
}

std::optional<duration> job_book::close(const task_id& task, instant at) {
  const auto it = open_.find(task.job);
  if (it == open_.end())
    return std::nullopt;
  auto& job = it->second;
  job.last_end = std::max(job.last_end, at);
  if (--job.unfinished > 0)
    return std::nullopt;
  const auto response = job.last_end - job.what.submitted;
  open_.erase(it);
  return response;
}

} // namespace troupe
