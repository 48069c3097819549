#include "actors/scheduler/queue/waiting_line.hpp"

#include "model/discipline/molding.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

duration length_of(const waiting_task& task) {
  start_request what;
  what.estimate = task.of->estimate;
  return what.length();
}

} // namespace

start_request waiting_line::request_of(const waiting_task& task) {
  start_request what;
  what.first = task.task;
  what.estimate = task.of->estimate;
  what.submitted = task.of->submitted;
  what.priority = task.priority();
  what.tenant = task.tenant();
  what.tasks = what.waiting = task.count();
  what.group = task.of->group;
  what.since = task.submitted;
  if (!task.whole) {
    what.need += task.demand;
    return what;
  }
  for (const auto& group : task.of->groups)
    for (std::size_t k = 0; k < resource_kinds; ++k)
      what.need.amount[k] += std::int64_t{group.demand.amount[k]} * group.count;
  if (task.of->mold.is_open())
    add_shapes(*task.of, what);
  return what;
}

/// Adds the widths that a moldable job may start at.
void waiting_line::add_shapes(const job& of, start_request& to) {
  const auto& by = of.mold;
  const auto& demand = of.groups.front().demand;
  for (const auto width : by.widths()) {
    if (width == by.requested)
      to.requested = static_cast<std::uint32_t>(to.shapes.size());
    to.shapes.push_back({width, {}, by.at_width(by.estimate, width)});
    for (std::size_t k = 0; k < resource_kinds; ++k)
      to.shapes.back().need.amount[k] = std::int64_t{demand.amount[k]} * width;
  }
  mold(to, to.requested);
}

void waiting_line::keep(const waiting_task& task) {
  if (tasks_.try_emplace(task.task, task).second)
    count_ += task.count();
}

void waiting_line::add(const waiting_task& task, instant now) {
  keep(task);
  auto what = request_of(task);
  if (tenants_ != nullptr && !what.shapes.empty())
    leave_out_too_wide(what);
  queue_.add(what, now);
}

/// Leaves out the widths that a tenant's maximum never admits; the least one it does.
void waiting_line::leave_out_too_wide(start_request& what) const {
  const auto may_have = [&](const start_shape& as) {
    return tenants_->could_use(what.tenant, as.need);
  };
  while (what.shapes.size() > 1 && !may_have(what.shapes.back()))
    what.shapes.pop_back();
  what.requested = std::min(what.requested, static_cast<std::uint32_t>(what.shapes.size()) - 1);
  mold(what, what.requested);
}

task_id waiting_line::request_with(const waiting_task& task) const {
  const task_id of_gang{task.task.job, 0};
  return task.of->gang && !tasks_.contains(task.task) ? of_gang : task.task;
}

std::optional<queue_position> waiting_line::position_of(const waiting_task& task) const {
  const auto at = queue_.position_of(request_with(task));
  if (!at)
    return std::nullopt;
  queue_position found;
  found.ahead = *at;
  return found;
}

bool waiting_line::is_held_up(const waiting_task& task) const {
  const auto at = tasks_.find(request_with(task));
  return at != tasks_.end() && queue_.position_of(at->first).value_or(0) > 0 &&
         queue_.has_room(request_of(at->second), now_) && !waits_for_tenant(task);
}

bool waiting_line::waits_for_tenant(const waiting_task& task) const {
  const task_id of_gang{task.task.job, 0};
  if (held_firsts_.contains(task.task) || (task.of->gang && held_firsts_.contains(of_gang)))
    return true;
  if (tenants_ == nullptr)
    return false;
  const auto at = tasks_.find(request_with(task));
  if (at == tasks_.end())
    return false;
  const auto what = request_of(at->second);
  return !tenants_->may_use(what.tenant,
                            what.shapes.empty() ? what.need : what.shapes.front().need);
}

std::vector<waiting_task> waiting_line::drop(job_id job, instant now) {
  std::vector<waiting_task> dropped;
  std::vector<task_id> requests;
  queue_.visit([&](const start_request& r) {
    if (r.first.job == job)
      requests.push_back(r.first);
  });
  for (const auto& first : requests) {
    queue_.remove(first, now);
    if (auto kept = tasks_.extract(first); !kept.empty())
      dropped.push_back(kept.mapped());
  }
  std::erase_if(held_, [&](const waiting_task& t) {
    if (t.task.job == job) {
      dropped.push_back(t);
      held_firsts_.erase(t.task);
    }
    return t.task.job == job;
  });
  for (const auto& t : dropped)
    count_ -= t.count();
  return dropped;
}

void waiting_line::begin(instant now, bool gained) {
  now_ = now;
  if (gained || (retry_at_ && *retry_at_ <= now)) {
    retry_at_.reset();
    queue_.try_again();
    held_firsts_.clear();
    for (const auto& t : std::exchange(held_, {})) {
      count_ -= t.count();
      add(t, now);
    }
  }
  due_.reset();
}

std::optional<waiting_task> waiting_line::next(instant now) {
  const auto what = queue_.next(now);
  if (!what)
    return std::nullopt;
  auto task = tasks_.extract(what->first).mapped();
  count_ -= task.count();
  return task;
}

void waiting_line::has_no_place(const waiting_task& task, instant now) {
  queue_.has_no_place(now);
  keep(task);
  if (!retry_at_)
    retry_at_ = now + patience;
}

void waiting_line::hold_back(const waiting_task& task, instant now) {
  const bool fits_maximum =
    tenants_ == nullptr || tenants_->could_use(task.tenant(), queue_.last().need);
  const bool may_be_narrower = has_narrower_shape(queue_.last());
  queue_.remove(task.task, now);
  if (!fits_maximum && may_be_narrower) // the cluster was larger, or empty, when it was added
    return add(task, now);
  held_.push_back(task);
  held_firsts_.insert(task.task);
  count_ += task.count();
}

void waiting_line::end(instant now) {
  due_ = queue_.next_due(now);
  if (queue_.any_without_place() && retry_at_)
    due_ = due_ ? std::min(*due_, *retry_at_) : *retry_at_;
}

std::uint32_t waiting_line::pool_of(machine_id m) const {
  return windows_ == nullptr ? 0 : windows_->class_of(m);
}

void waiting_line::begin_run(const waiting_task& task, machine_id m, instant now) {
  queue_.begin_run(task.task, task.demand, queue_.end_of_last(now), now, pool_of(m));
  queue_.use_pool(pool_of(m), 1);
}

void waiting_line::take_back_run(const task_id& task, machine_id m, instant now) {
  queue_.take_back_run(task, now);
  queue_.use_pool(pool_of(m), -1);
}

void waiting_line::open(open_classes& classes) const {
  for (std::uint32_t p = 0; p < windows_->classes(); ++p)
    classes.put(p, queue_.may_use_pool(p));
}

void waiting_line::resume_run(const waiting_task& task, machine_id m) {
  const auto from = task.of->submitted;
  queue_.begin_run(task.task, task.demand, end_after(from, length_of(task)), from, pool_of(m));
}

} // namespace troupe
