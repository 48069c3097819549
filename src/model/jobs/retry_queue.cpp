#include "model/jobs/retry_queue.hpp"

#include <algorithm>

namespace troupe {

namespace {

void append(std::vector<waiting_task>& to, const std::vector<waiting_task>& tasks) {
  to.insert(to.end(), tasks.begin(), tasks.end());
}

} // namespace

void retry_queue::add(std::vector<waiting_task> tasks, std::vector<refresh_mark> marks,
                      instant due) {
  timed_.emplace(due, entry{std::move(tasks), std::move(marks)});
}

std::uint64_t retry_queue::tasks() const {
  std::uint64_t n = 0;
  const auto count = [&n](const entry& e) {
    for (const auto& t : e.tasks)
      n += t.count();
  };
  for (const auto& [_, e] : timed_)
    count(e);
  for (const auto& e : stale_)
    count(e);
  return n;
}

std::vector<waiting_task> retry_queue::take(instant now, const view& seen) {
  std::vector<waiting_task> out;
  const auto ready = [&](const entry& e) {
    return std::ranges::all_of(
      e.marks, [&](const refresh_mark& m) { return seen.version_of(m.partition) >= m.version; });
  };
  std::erase_if(stale_, [&](const entry& e) {
    if (!ready(e))
      return false;
    append(out, e.tasks);
    return true;
  });
  while (!timed_.empty() && timed_.begin()->first <= now) {
    auto& e = timed_.begin()->second;
    if (ready(e))
      append(out, e.tasks);
    else
      stale_.push_back(std::move(e));
    timed_.erase(timed_.begin());
  }
  return out;
}

std::optional<instant> retry_queue::next_due() const {
  if (timed_.empty())
    return std::nullopt;
  return timed_.begin()->first;
}

std::optional<retry_queue::wait> retry_queue::find(const task_id& task) const {
  const auto has = [&](const entry& e) {
    return std::ranges::any_of(e.tasks, [&](const waiting_task& t) {
      return t.task == task || (t.whole && t.task.job == task.job);
    });
  };
  for (const auto& [due, e] : timed_)
    if (has(e))
      return wait{due, e.marks.size()};
  for (const auto& e : stale_)
    if (has(e))
      return wait{instant::min(), e.marks.size()};
  return std::nullopt;
}

void retry_queue::visit(const waiting_visitor& tell) const {
  const auto tell_all = [&](const entry& e) {
    for (const auto& t : e.tasks)
      tell(*t.of, t.submitted, t.count());
  };
  for (const auto& [_, e] : timed_)
    tell_all(e);
  std::ranges::for_each(stale_, tell_all);
}

std::vector<waiting_task> retry_queue::drop(job_id job) {
  std::vector<waiting_task> out;
  const auto take_from = [&](entry& e) {
    const auto kept = std::stable_partition(
      e.tasks.begin(), e.tasks.end(), [&](const waiting_task& t) { return t.task.job != job; });
    out.insert(out.end(), kept, e.tasks.end());
    e.tasks.erase(kept, e.tasks.end());
  };
  for (auto& [_, e] : timed_)
    take_from(e);
  std::ranges::for_each(stale_, take_from);
  std::erase_if(timed_, [](const auto& timed) { return timed.second.tasks.empty(); });
  std::erase_if(stale_, [](const entry& e) { return e.tasks.empty(); });
  return out;
}

} // namespace troupe
