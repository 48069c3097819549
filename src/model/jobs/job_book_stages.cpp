#include "model/base/planted_faults.hpp"
#include "model/jobs/job_book.hpp"

#include <algorithm>
#include <utility>

// Part of `job_book`: jobs whose groups of tasks wait for each other.
namespace troupe {

void job_book::begin_stages(open_job& of) {
  const auto& groups = of.what.groups;
  of.dag = std::make_unique<stages>(groups.size());
  std::uint32_t first = 0;
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    auto& stage = (*of.dag)[g];
    stage.first = first;
    stage.unfinished = groups[g].count;
    stage.blockers = static_cast<std::uint32_t>(groups[g].after.size());
    stage.released = of.what.submitted;
    blocked_ += groups[g].count;
    first += groups[g].count;
  }
  release_unblocked(of);
}

/// Starts with the tasks in `over` over. No task waits yet.
void job_book::resume_stages(open_job& of, const std::vector<std::uint32_t>& over) {
  const auto& groups = of.what.groups;
  of.dag = std::make_unique<stages>(groups.size());
  resumes_stages_ = true;
  auto next = over.begin();
  std::uint32_t first = 0;
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    auto& stage = (*of.dag)[g];
    stage.first = first;
    first += groups[g].count;
    const auto end = std::lower_bound(next, over.end(), first);
    stage.unfinished = groups[g].count - static_cast<std::uint32_t>(end - next);
    if (planted(planted_fault::early_release) && end != next)
      stage.unfinished = 0;
    next = end;
    stage.blockers = static_cast<std::uint32_t>(std::ranges::count_if(
      groups[g].after, [&](std::uint32_t parent) { return (*of.dag)[parent].unfinished > 0; }));
    stage.whole = false;
    stage.released = of.what.submitted;
  }
  release_unblocked(of);
}

void job_book::release_unblocked(open_job& of) {
  for (std::uint32_t g = 0; g < of.dag->size(); ++g)
    if ((*of.dag)[g].blockers == 0)
      release(of, g, of.what.submitted);
}

void job_book::release(open_job& of, std::uint32_t group, instant at) {
  auto& stage = (*of.dag)[group];
  stage.blocked = false;
  stage.released = at;
  chosen_ = nullptr;
  const auto count = of.what.groups[group].count;
  if (stage.whole) {
    lane_of(of.what).fresh.push_back({&of, group, 0, stage.first, stage.first + count, 0});
    blocked_ -= count;
    waiting_ += count;
    return;
  }
  blocked_ -= stage.held.size();
  for (auto index : std::exchange(stage.held, {}))
    put_at_back(*find({of.what.id, index}));
}

/// Returns the number of a task's group.
std::uint32_t job_book::group_of(const stages& all, std::uint32_t task) {
  const auto behind = std::ranges::upper_bound(all, task, {}, &stage_state::first);
  return static_cast<std::uint32_t>(behind - all.begin()) - 1;
}

/// Holds a task until its group is released. Returns false if the group has been released.
bool job_book::hold_back(const waiting_task& task) {
  if (!resumes_stages_)
    return false;
  const auto of = open_.find(task.task.job);
  if (of == open_.end() || !of->second.dag)
    return false;
  auto& stage = (*of->second.dag)[group_of(*of->second.dag, task.task.index)];
  if (!stage.blocked)
    return false;
  stage.held.push_back(task.task.index);
  ++blocked_;
  return true;
}

void job_book::close_stage(open_job& of, std::uint32_t task, instant at) {
  const auto& groups = of.what.groups;
  const auto ended = group_of(*of.dag, task);
  if (--(*of.dag)[ended].unfinished > 0)
    return;
  for (auto g = ended + 1; g < groups.size(); ++g)
    for (auto parent : groups[g].after)
      if (auto& stage = (*of.dag)[g]; parent == ended && stage.blocked && --stage.blockers == 0)
        release(of, g, at);
}

void job_book::drop_blocked(open_job& of, std::vector<waiting_task>& into) {
  for (std::uint32_t g = 0; g < of.dag->size(); ++g) {
    auto& stage = (*of.dag)[g];
    if (!std::exchange(stage.blocked, false))
      continue;
    if (std::exchange(stage.whole, false))
      for (std::uint32_t i = 0; i < of.what.groups[g].count; ++i)
        stage.held.push_back(stage.first + i);
    blocked_ -= stage.held.size();
    for (auto index : std::exchange(stage.held, {}))
      into.push_back(*find({of.what.id, index}));
  }
}

} // namespace troupe
