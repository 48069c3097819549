#include "model/job_book.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

waiting_task describe(const job& j, const task_group& group, std::uint32_t in_group,
                      std::uint32_t index) {
  return {
    {j.id, index}, group.demand,        group.duration_of(in_group), j.submitted, 0, index == 0, &j,
    &group,        j.gang && index == 0};
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
  auto& at = fresh_.front();
  if (at.retries > 0)
    return later_.front();
  if (!next_ready_) {
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
  waiting_ -= task.count();
  if (!again_.empty()) {
    again_.pop_back();
    return task;
  }
  auto& at = fresh_.front();
  if (at.retries > 0) {
    later_.pop_front();
    if (--at.retries == 0)
      fresh_.pop_front();
    return task;
  }
  next_ready_ = false;
  if (task.whole) {
    fresh_.pop_front();
    return task;
  }
  ++at.in_group;
  ++at.index;
  if (at.index == at.from->what.task_count())
    fresh_.pop_front();
  return task;
}

void job_book::put_back(const waiting_task& task) {
  again_.push_back(task);
  waiting_ += task.count();
}

void job_book::put_at_back(const waiting_task& task) {
  if (fresh_.empty() || fresh_.back().retries == 0)
    fresh_.push_back({});
  ++fresh_.back().retries;
  later_.push_back(task);
  waiting_ += task.count();
}

std::vector<waiting_task> job_book::members(const waiting_task& whole) const {
  std::vector<waiting_task> all;
  all.reserve(whole.of->task_count());
  for (const auto& group : whole.of->groups)
    for (std::uint32_t i = 0; i < group.count; ++i) {
      all.push_back(describe(*whole.of, group, i, static_cast<std::uint32_t>(all.size())));
      all.back().attempts = whole.attempts;
      all.back().whole = false;
    }
  all.front().opens_job = whole.opens_job;
  return all;
}

std::vector<waiting_task> job_book::drop(job_id job) {
  // Whatever waits goes through the queue once.
  std::vector<waiting_task> dropped;
  std::erase_if(again_, [&](const waiting_task& t) {
    if (t.task.job == job)
      dropped.push_back(t);
    return t.task.job == job;
  });
  for (const auto& t : dropped)
    waiting_ -= t.count();
  auto rest = std::exchange(again_, {});
  for (auto n = fresh_.size(); n > 0; --n) {
    const auto& at = fresh_.front();
    if (at.retries > 0) {
      for (auto left = at.retries; left > 0; --left) {
        const auto task = later_.front();
        later_.pop_front();
        if (task.task.job == job) {
          dropped.push_back(task);
          waiting_ -= task.count();
          --fresh_.front().retries;
        } else {
          later_.push_back(task);
        }
      }
      if (fresh_.front().retries > 0)
        fresh_.push_back(fresh_.front());
      fresh_.pop_front();
    } else if (at.from->what.id == job) {
      const auto before = fresh_.size();
      while (fresh_.size() == before)
        dropped.push_back(take_head());
    } else {
      fresh_.push_back(at);
      fresh_.pop_front();
      next_ready_ = false;
    }
  }
  again_ = std::move(rest);
  return dropped;
}

std::optional<waiting_task> job_book::find(const task_id& task) const {
  const auto it = open_.find(task.job);
  if (it == open_.end())
    return std::nullopt;
  std::uint32_t first = 0;
  for (const auto& group : it->second.what.groups) {
    if (task.index < first + group.count) {
      // It has been decided on before, and alone it is no gang.
      auto found = describe(it->second.what, group, task.index - first, task.index);
      found.opens_job = found.whole = false;
      return found;
    }
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

void job_book::note_placed(job_id job) {
  if (const auto it = open_.find(job); it != open_.end())
    it->second.placed = true;
}

std::uint32_t job_book::note_empty_attempt(job_id job) {
  const auto it = open_.find(job);
  if (it == open_.end() || it->second.placed)
    return 0;
  return ++it->second.empty_attempts;
}

bool job_book::note_abandoned(job_id job) {
  const auto it = open_.find(job);
  return it != open_.end() && !std::exchange(it->second.abandoned, true);
}

void job_book::give_up(job_id job) {
  if (const auto it = open_.find(job); it != open_.end())
    it->second.given_up = true;
}

bool job_book::given_up(job_id job) const {
  const auto it = open_.find(job);
  return it != open_.end() && it->second.given_up;
}

} // namespace troupe
