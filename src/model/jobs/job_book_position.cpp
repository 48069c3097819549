#include "model/jobs/job_book.hpp"

#include <algorithm>

namespace troupe {

bool job_book::is_blocked(const task_id& task) const {
  const auto it = open_.find(task.job);
  if (it == open_.end())
    return false;
  if (it->second.array)
    return is_held(*it->second.array, task.index);
  if (!it->second.dag)
    return false;
  const auto& groups = *it->second.dag;
  return groups[group_of(groups, task.index)].blocked;
}

std::optional<queue_position> job_book::position_of(const task_id& task) const {
  const auto it = open_.find(task.job);
  if (it == open_.end())
    return std::nullopt;
  const auto& of = it->second.what;
  const auto is_it = [&](const waiting_task& t) {
    return t.task == task || (t.whole && t.task.job == task.job);
  };
  const auto tasks_in = [&](const cursor& at) {
    return at.retries > 0 ? std::uint64_t{at.retries} : std::uint64_t{at.end} - at.index;
  };
  const lane* own = nullptr;
  queue_position found;
  for (const auto& [key, queue] : lanes_) {
    if (key.priority > of.priority) {
      for (const auto& t : queue.again)
        found.higher += t.count();
      for (const auto& at : queue.fresh)
        found.higher += tasks_in(at);
    } else if (key.priority == of.priority && (tenants_ == nullptr || key.tenant == of.tenant)) {
      own = &queue;
    }
  }
  if (own == nullptr)
    return std::nullopt;
  found.ahead = found.higher;
  const auto done = [&] {
    found.tenant_waits = waits_for_tenant(*find(task));
    return found;
  };
  for (auto t = own->again.rbegin(); t != own->again.rend(); ++t) {
    if (is_it(*t))
      return done();
    found.ahead += t->count();
  }
  std::size_t later = 0;
  for (const auto& at : own->fresh) {
    if (at.retries > 0) {
      for (std::size_t i = 0; i < at.retries; ++i, ++later) {
        if (is_it(own->later[later]))
          return done();
        found.ahead += own->later[later].count();
      }
      continue;
    }
    if (at.from->what.id == task.job &&
        (of.gang || (task.index >= at.index && task.index < at.end))) {
      found.ahead += of.gang ? 0 : task.index - at.index;
      return done();
    }
    found.ahead += tasks_in(at);
  }
  return std::nullopt;
}

} // namespace troupe
