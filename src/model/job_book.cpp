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
  lane_of(it->second.what).fresh.push_back({&it->second, 0, 0, 0});
  waiting_ += tasks;
  chosen_ = nullptr;
}

job_book::lane& job_book::lane_of(const job& j) {
  const lane_key key{j.priority, tenants_ == nullptr ? 0 : j.tenant};
  if (latest_ == nullptr || latest_key_ != key) {
    latest_ = &lanes_[key];
    latest_key_ = key;
  }
  return *latest_;
}

const waiting_task& job_book::lane::head() {
  if (!again.empty())
    return again.back();
  if (!next_ready) {
    auto& at = fresh.front();
    while (at.in_group == at.from->what.groups[at.group].count) {
      ++at.group;
      at.in_group = 0;
    }
    next = describe(at.from->what, at.from->what.groups[at.group], at.in_group, at.index);
    next_ready = true;
  }
  return next;
}

waiting_task job_book::lane::take() {
  const auto task = head();
  if (!again.empty()) {
    again.pop_back();
    return task;
  }
  next_ready = false;
  auto& at = fresh.front();
  ++at.in_group;
  ++at.index;
  if (at.index == at.from->what.task_count())
    fresh.pop_front();
  return task;
}

bool job_book::ages_past(const lane_map::iterator& a, const lane_map::iterator& b) const {
  const auto earlier = to_seconds(b->second.head().submitted - a->second.head().submitted);
  return earlier > aging_ * (static_cast<double>(b->first.priority) - a->first.priority);
}

job_book::lane* job_book::choose() {
  if (chosen_ != nullptr)
    return chosen_;
  const auto none = lanes_.end();
  if (lanes_.size() == 1 && tenants_ == nullptr)
    return chosen_ = lanes_.begin()->second.empty() ? nullptr : &lanes_.begin()->second;
  auto best = none;     // of all priorities so far
  auto of_level = none; // of the priority at hand
  const auto close_level = [&] {
    if (of_level != none && (best == none || ages_past(of_level, best)))
      best = of_level;
    of_level = none;
  };
  for (auto it = lanes_.begin(); it != none; ++it) {
    if (of_level != none && of_level->first.priority != it->first.priority) {
      close_level();
      if (aging_ == 0)
        break;
    }
    if (it->second.empty())
      continue;
    const auto tenant = it->first.tenant;
    if (tenants_ != nullptr && !tenants_->may_use(tenant, it->second.head().demand))
      continue;
    if (of_level == none || tenants_->goes_before(tenant, of_level->first.tenant))
      of_level = it;
  }
  close_level();
  return chosen_ = best == none ? nullptr : &best->second;
}

waiting_task job_book::take_head() {
  auto* from = choose();
  chosen_ = nullptr;
  --waiting_;
  return from->take();
}

void job_book::put_back(const waiting_task& task) {
  lane_of(*task.of).again.push_back(task);
  ++waiting_;
  chosen_ = nullptr;
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
