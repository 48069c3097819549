#include "model/jobs/job_book.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace troupe {

job_book::open_job& job_book::open(job accepted, std::uint32_t unfinished) {
  const auto id = accepted.id;
  const auto [it, added] =
    open_.try_emplace(id, open_job{std::move(accepted), unfinished, instant{0}});
  if (!added)
    throw std::invalid_argument("job " + std::to_string(id) + " was submitted twice");
  auto& of = it->second;
  of.place = open_ages_.size();
  open_ages_.push_back({of.what.submitted, of.what.group, &of});
  return of;
}

void job_book::delist(const open_job& of) {
  const auto place = of.place;
  open_ages_[place] = open_ages_.back();
  open_ages_[place].of->place = place;
  open_ages_.pop_back();
}

void job_book::submit(job accepted) {
  const auto tasks = accepted.task_count();
  if (tasks == 0)
    throw std::invalid_argument("job " + std::to_string(accepted.id) + " has no tasks");
  const bool staged = has_stages(accepted);
  auto& of = open(std::move(accepted), tasks);
  queue_.choose_again();
  if (staged) {
    of.dag = std::make_unique<group_dependencies>(of.what);
    blocked_ += tasks;
    release(of, of.dag->due(), of.what.submitted);
    return;
  }
  auto first = tasks;
  if (limited_tasks::needed_by(of.what)) {
    first = of.what.at_once;
    of.limited = std::make_unique<limited_tasks>(first, tasks);
    blocked_ += tasks - first;
  }
  queue_.add(of.what, 0, 0, first, of.what.submitted);
}

void job_book::resume(job accepted, const std::vector<std::uint32_t>& waiting,
                      const std::vector<std::uint32_t>& over, task_fate fate) {
  if (waiting.size() == accepted.task_count())
    return submit(std::move(accepted));
  const bool staged = has_stages(accepted);
  const auto unfinished = static_cast<std::uint32_t>(accepted.task_count() - over.size());
  auto& of = open(std::move(accepted), unfinished);
  of.placed = true;
  of.fate = fate;
  if (staged) {
    of.dag = std::make_unique<group_dependencies>(of.what, over);
    resumes_dependencies_ = true;
    release(of, of.dag->due(), of.what.submitted);
  } else if (limited_tasks::needed_by(of.what)) {
    return resume_limited(of, waiting);
  }
  for (auto index : waiting)
    if (const auto task = *find({of.what.id, index}); !hold_back(task))
      put_at_back(task);
}

/// The tasks that neither wait nor are over run.
void job_book::resume_limited(open_job& of, const std::vector<std::uint32_t>& waiting) {
  const auto running = of.unfinished - static_cast<std::uint32_t>(waiting.size());
  const std::size_t room = of.what.at_once - std::min(running, of.what.at_once);
  const auto tasks = of.what.task_count();
  of.limited = std::make_unique<limited_tasks>(tasks, tasks);
  for (std::size_t i = 0; i < waiting.size(); ++i)
    if (i < room) {
      put_at_back(*find({of.what.id, waiting[i]}));
    } else {
      of.limited->hold(waiting[i]);
      ++blocked_;
    }
}

/// Releases groups of a job that wait for no others.
void job_book::release(open_job& of, const std::vector<std::uint32_t>& groups, instant at) {
  for (const auto group : groups) {
    const auto freed = of.dag->release(group, at);
    queue_.choose_again();
    blocked_ -= freed.count + freed.some.size();
    if (freed.count > 0)
      queue_.add(of.what, group, freed.first, freed.first + freed.count, at);
    for (const auto index : freed.some)
      put_at_back(*find({of.what.id, index}));
  }
}

/// Holds a task until its group is released. Returns false if the group has been released.
bool job_book::hold_back(const waiting_task& task) {
  if (!resumes_dependencies_)
    return false;
  const auto of = open_.find(task.task.job);
  if (of == open_.end() || !of->second.dag || !of->second.dag->hold(task.task.index))
    return false;
  ++blocked_;
  return true;
}

void job_book::put_back(const waiting_task& task) {
  if (!hold_back(task))
    queue_.put_back(task);
}

std::vector<waiting_task> job_book::members(const waiting_task& whole) const {
  std::vector<waiting_task> all;
  all.reserve(whole.of->task_count());
  for (const auto& group : whole.of->groups)
    for (std::uint32_t i = 0; i < group.count; ++i) {
      all.push_back(as_submitted(*whole.of, group, i, static_cast<std::uint32_t>(all.size())));
      all.back().attempts = whole.attempts;
      all.back().whole = false;
    }
  all.front().opens_job = whole.opens_job;
  return all;
}

std::vector<waiting_task> job_book::drop(job_id job) {
  const auto of = open_.find(job);
  if (of == open_.end())
    return {};
  auto dropped = queue_.drop(of->second.what);
  const auto drop_held = [&](const std::vector<std::uint32_t>& tasks) {
    blocked_ -= tasks.size();
    for (const auto index : tasks)
      dropped.push_back(*find({job, index}));
  };
  if (of->second.dag)
    drop_held(of->second.dag->take_blocked());
  if (of->second.limited)
    drop_held(of->second.limited->take_all());
  return dropped;
}

std::optional<waiting_task> job_book::find(const task_id& task) const {
  const auto it = open_.find(task.job);
  if (it == open_.end())
    return std::nullopt;
  std::uint32_t first = 0;
  for (std::uint32_t g = 0; g < it->second.what.groups.size(); ++g) {
    const auto& group = it->second.what.groups[g];
    if (task.index < first + group.count) {
      // The task has been decided on before, and alone it is no gang.
      auto found = as_submitted(it->second.what, group, task.index - first, task.index);
      found.opens_job = found.whole = false;
      if (it->second.dag)
        found.submitted = it->second.dag->released_at(g);
      return found;
    }
    first += group.count;
  }
  return std::nullopt;
}

std::optional<job_end> job_book::close(const task_id& task, instant at, task_fate how) {
  const auto it = open_.find(task.job);
  if (it == open_.end())
    return std::nullopt;
  auto& job = it->second;
  job.last_end = std::max(job.last_end, at);
  job.fate = std::max(job.fate, how);
  if (--job.unfinished > 0) {
    if (job.dag)
      release(job, job.dag->close(job.what, task.index), at);
    if (job.limited)
      if (const auto next = job.limited->take()) {
        auto entering = *find({task.job, *next});
        entering.submitted = at;
        --blocked_;
        put_at_back(entering);
      }
    return std::nullopt;
  }
  const job_end end{job.last_end - job.what.submitted, job.fate};
  delist(job);
  open_.erase(it);
  return end;
}

bool job_book::is_blocked(const task_id& task) const {
  const auto it = open_.find(task.job);
  if (it == open_.end())
    return false;
  const auto& of = it->second;
  return of.limited ? of.limited->holds(task.index) : of.dag && of.dag->blocks(task.index);
}

std::optional<queue_position> job_book::position_of(const task_id& task) const {
  const auto* of = find_job(task.job);
  auto found = of == nullptr ? std::nullopt : queue_.position_of(*of, task);
  if (found)
    found->tenant_waits = waits_for_tenant(*find(task));
  return found;
}

void job_book::set_width(job_id id, std::uint32_t width) {
  auto& of = open_.at(id);
  of.unfinished = of.unfinished + width - of.what.task_count();
  mold(of.what, width);
}

void job_book::settle_width(job_id id) {
  open_.at(id).what.mold.settled = true;
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

void job_book::give_up(job_id job) {
  if (const auto it = open_.find(job); it != open_.end())
    it->second.given_up = true;
}

bool job_book::given_up(job_id job) const {
  const auto it = open_.find(job);
  return it != open_.end() && it->second.given_up;
}

} // namespace troupe
