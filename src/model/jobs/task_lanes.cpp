#include "model/jobs/task_lanes.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

task_lanes::lane& task_lanes::lane_of(const job& j) {
  const lane_key key{j.priority, tenants_ == nullptr ? 0 : j.tenant};
  if (latest_ == nullptr || latest_key_ != key) {
    auto at = lanes_.find(key);
    if (at == lanes_.end()) {
      drop_empty();
      at = lanes_.try_emplace(key).first;
    }
    latest_ = &at->second;
    latest_key_ = key;
  }
  return *latest_;
}

/// Clients may invent any number of priorities.
void task_lanes::drop_empty() {
  latest_ = nullptr;
  std::erase_if(lanes_, [this](const auto& entry) {
    const auto* of = &entry.second;
    return of->empty() && of != chosen_ && of != taken_from_;
  });
}

const waiting_task& task_lanes::lane::head() {
  if (!again.empty())
    return again.back();
  auto& at = fresh.front();
  if (at.retries > 0)
    return later.front();
  if (!next_ready) {
    while (at.in_group == at.from->groups[at.group].count) {
      ++at.group;
      at.in_group = 0;
    }
    next = as_submitted(*at.from, at.from->groups[at.group], at.in_group, at.index);
    next.submitted = at.since;
    next_ready = true;
  }
  return next;
}

waiting_task task_lanes::lane::take() {
  const auto task = head();
  if (!again.empty()) {
    again.pop_back();
    return task;
  }
  auto& at = fresh.front();
  if (at.retries > 0) {
    later.pop_front();
    if (--at.retries == 0)
      fresh.pop_front();
    return task;
  }
  next_ready = false;
  if (task.whole) {
    fresh.pop_front();
    return task;
  }
  ++at.in_group;
  ++at.index;
  if (at.index == at.end)
    fresh.pop_front();
  return task;
}

bool task_lanes::ages_past(const lane_map::iterator& a, const lane_map::iterator& b) const {
  const auto earlier = to_seconds(b->second.head().submitted - a->second.head().submitted);
  return earlier > aging_ * (static_cast<double>(b->first.priority) - a->first.priority);
}

bool task_lanes::waits_for_tenant(const waiting_task& head) const {
  return tenants_ != nullptr && !tenants_->may_use(head.tenant(), head.demand) &&
         tenants_->may_ever_use(head.tenant(), resource_sum{} + head.demand);
}

task_lanes::lane* task_lanes::choose() {
  if (chosen_ != nullptr)
    return chosen_;
  const auto none = lanes_.end();
  if (lanes_.size() == 1 && tenants_ == nullptr)
    return chosen_ = lanes_.begin()->second.empty() ? nullptr : &lanes_.begin()->second;
  auto best = none;     // of all priorities so far
  auto of_level = none; // of the current priority
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
    if (waits_for_tenant(it->second.head()))
      continue;
    if (of_level == none || tenants_->goes_before(it->first.tenant, of_level->first.tenant))
      of_level = it;
  }
  close_level();
  return chosen_ = best == none ? nullptr : &best->second;
}

bool task_lanes::continues(job_id job) {
  chosen_ = nullptr;
  if (taken_from_ == nullptr || taken_from_->empty())
    return false;
  const auto& next = taken_from_->head();
  if (next.task.job != job || waits_for_tenant(next))
    return false;
  chosen_ = taken_from_;
  return true;
}

waiting_task task_lanes::take_head() {
  auto* from = choose();
  chosen_ = nullptr;
  taken_from_ = from;
  auto task = from->take();
  size_ -= task.count();
  return task;
}

void task_lanes::add(const job& of, std::size_t group, std::uint32_t first, std::uint32_t end,
                     instant since) {
  lane_of(of).fresh.push_back({&of, group, 0, first, end, 0, since});
  size_ += end - first;
  choose_again();
}

void task_lanes::put_back(const waiting_task& task) {
  lane_of(*task.of).again.push_back(task);
  size_ += task.count();
  choose_again();
}

void task_lanes::lane::put_at_back(const waiting_task& task) {
  if (fresh.empty() || fresh.back().retries == 0)
    fresh.push_back({});
  ++fresh.back().retries;
  later.push_back(task);
}

void task_lanes::put_at_back(const waiting_task& task) {
  lane_of(*task.of).put_at_back(task);
  size_ += task.count();
  choose_again();
}

void task_lanes::lane::drop(job_id job, std::vector<waiting_task>& into) {
  std::erase_if(again, [&](const waiting_task& t) {
    if (t.task.job == job)
      into.push_back(t);
    return t.task.job == job;
  });
  // All other waiting tasks pass through the queue once.
  const auto rest = std::exchange(again, {});
  for (auto n = fresh.size(); n > 0; --n) {
    auto at = fresh.front();
    if (at.retries > 0) {
      for (auto left = at.retries; left > 0; --left) {
        const auto task = later.front();
        later.pop_front();
        if (task.task.job == job) {
          into.push_back(task);
          --at.retries;
        } else {
          later.push_back(task);
        }
      }
      fresh.pop_front();
      if (at.retries > 0)
        fresh.push_back(at);
    } else if (at.from->id == job) {
      const auto before = fresh.size();
      while (fresh.size() == before)
        into.push_back(take());
    } else {
      fresh.pop_front();
      fresh.push_back(at);
      next_ready = false;
    }
  }
  again = rest;
}

std::vector<waiting_task> task_lanes::drop(const job& of) {
  std::vector<waiting_task> dropped;
  lane_of(of).drop(of.id, dropped);
  for (const auto& t : dropped)
    size_ -= t.count();
  choose_again();
  return dropped;
}

void task_lanes::visit(const waiting_visitor& tell) const {
  const auto tell_one = [&](const waiting_task& t) { tell(*t.of, t.submitted, t.count()); };
  for (const auto& [_, queue] : lanes_) {
    std::ranges::for_each(queue.again, tell_one);
    std::ranges::for_each(queue.later, tell_one);
    for (const auto& at : queue.fresh)
      if (at.retries == 0)
        tell(*at.from, at.since, at.end - at.index);
  }
}

std::optional<queue_position> task_lanes::position_of(const job& of, const task_id& task) const {
  const auto is_it = [&](const waiting_task& t) {
    return t.task == task || (t.whole && t.task.job == task.job);
  };
  const lane* own = nullptr;
  queue_position found;
  for (const auto& [key, queue] : lanes_) {
    if (key.priority > of.priority) {
      for (const auto& t : queue.again)
        found.higher += t.count();
      for (const auto& at : queue.fresh)
        found.higher += at.tasks();
    } else if (key.priority == of.priority && (tenants_ == nullptr || key.tenant == of.tenant)) {
      own = &queue;
    }
  }
  if (own == nullptr)
    return std::nullopt;
  found.ahead = found.higher;
  for (auto t = own->again.rbegin(); t != own->again.rend(); ++t) {
    if (is_it(*t))
      return found;
    found.ahead += t->count();
  }
  std::size_t later = 0;
  for (const auto& at : own->fresh) {
    if (at.retries > 0) {
      for (std::size_t i = 0; i < at.retries; ++i, ++later) {
        if (is_it(own->later[later]))
          return found;
        found.ahead += own->later[later].count();
      }
      continue;
    }
    if (at.from->id == task.job && (of.gang || (task.index >= at.index && task.index < at.end))) {
      found.ahead += of.gang ? 0 : task.index - at.index;
      return found;
    }
    found.ahead += at.tasks();
  }
  return std::nullopt;
}

} // namespace troupe
