#include "round_robin_core.hpp"

#include <algorithm>
#include <utility>

namespace round_robin {

using namespace troupe;

namespace {

/// The group of a job that a task is of, and the task's number within it.
std::pair<std::uint32_t, std::uint32_t> group_of(const job& j, std::uint32_t task) {
  std::uint32_t g = 0;
  for (; task >= j.groups[g].count; ++g)
    task -= j.groups[g].count;
  return {g, task};
}

} // namespace

core::core(const scheduler_world& world, std::uint32_t stride)
  : id_(world.id),
    machines_(world.machines),
    limits_(world.limits),
    stride_(stride),
    next_(world.id % world.machines->machines()),
    books_(world.group) {
  for (machine_id m = 0; m < machines_->machines(); ++m)
    has_.push_back(machines_->machine(m).capacity);
}

void core::submit(std::vector<job> jobs) {
  for (auto& j : jobs) {
    const auto tasks = j.task_count();
    auto& book = books_.of(j.group);
    book.counts.submitted += tasks;
    book.counts.queued += tasks;
    ++book.sample.jobs_submitted;
    waiting_.push_back(j.id);
    const auto id = j.id;
    open_[id] = {std::move(j), std::vector(tasks, place_of::queued), std::vector<machine_id>(tasks),
                 tasks};
  }
}

std::optional<duration> core::decide() const {
  if (waiting_.empty())
    return std::nullopt;
  const auto it = open_.find(waiting_.front());
  const auto tasks = it == open_.end() ? 0 : due(it->second).size();
  return limits_.t_job + limits_.t_task * static_cast<std::int64_t>(tasks);
}

std::vector<core::order> core::place() {
  std::vector<order> out;
  const auto it = open_.find(waiting_.front());
  waiting_.pop_front();
  if (it == open_.end())
    return out; // it is over by now
  auto& j = it->second;
  const auto tasks = due(j);
  book_of(j).sample.busy +=
    limits_.t_job + limits_.t_task * static_cast<std::int64_t>(tasks.size());
  const auto id = j.what.id;
  for (const auto i : tasks)
    if (open_.contains(id))
      send(j, i, out);
  return out;
}

/// The tasks of a job that wait for a machine, and for no other task.
std::vector<std::uint32_t> core::due(const open_job& j) const {
  std::vector<std::uint32_t> tasks;
  for (std::uint32_t i = 0; i < j.tasks.size(); ++i)
    if (j.tasks[i] == place_of::queued && !homeless_.contains({j.what.id, i}) &&
        is_due(j, group_of(j.what, i).first))
      tasks.push_back(i);
  return tasks;
}

/// Whether all tasks that a group of tasks waits for are over.
bool core::is_due(const open_job& j, std::uint32_t group) {
  const auto& after = j.what.groups[group].after;
  for (std::uint32_t i = 0; !after.empty() && i < j.tasks.size(); ++i)
    if (j.tasks[i] != place_of::over &&
        std::ranges::find(after, group_of(j.what, i).first) != after.end())
      return false;
  return true;
}

bool core::suits(const task_group& group, machine_id machine, const resources& capacity) const {
  return capacity.fits(group.demand) &&
         machines_->meets(machines_->machine(machine).kind, group.constraints);
}

/// Whether a machine could run such tasks, were it there. In a cluster that grows, such a machine
/// may come.
bool core::is_possible(const task_group& group) const {
  if (machines_->grows())
    return true;
  for (machine_id m = 0; m < machines_->machines(); ++m)
    if (suits(group, m, machines_->machine(m).capacity))
      return true;
  return false;
}

std::optional<machine_id> core::next_machine(const task_group& group) {
  const auto n = machines_->machines();
  for (std::uint32_t looked = 0; looked < n; ++looked) {
    const auto m = next_;
    next_ = (next_ + stride_) % n;
    if (suits(group, m, has_[m]))
      return m;
  }
  return std::nullopt;
}

void core::send(open_job& j, std::uint32_t task, std::vector<order>& out) {
  auto& [counts, sample] = book_of(j);
  const auto [g, in_group] = group_of(j.what, task);
  const auto& group = j.what.groups[g];
  j.tasks[task] = place_of::queued;
  const auto machine = next_machine(group);
  if (!machine && is_possible(group)) {
    homeless_.insert({j.what.id, task});
    return;
  }
  --counts.queued;
  if (!machine) {
    ++counts.abandoned;
    close(j, task, j.last_end);
    return;
  }
  ++counts.in_commit;
  ++sample.sparrow.launched;
  j.tasks[task] = place_of::sent;
  j.machines[task] = *machine;
  const launch_order what{{j.what.id, task},           id_,      group.demand,
                          group.duration_of(in_group), no_grant, true};
  out.push_back({*machine, {entry_kind::task, what, g, j.what.tenant, j.what.priority, *machine}});
}

std::vector<core::order> core::book(const task_news& news) {
  std::vector<order> out;
  for (const auto& start : news.started) {
    const auto it = open_.find(start.task.job);
    if (it == open_.end() || it->second.tasks[start.task.index] != place_of::sent)
      continue;
    auto& j = it->second;
    auto& [counts, sample] = book_of(j);
    j.tasks[start.task.index] = place_of::running;
    --counts.in_commit;
    ++counts.running;
    ++counts.placed;
    ++sample.sparrow.started;
    if (j.what.submitted >= limits_.warmup) {
      sample.delay.add(to_seconds(start.at - j.what.submitted));
      sample.quality.add(machines_->score(start.machine));
    }
  }
  for (const auto& end : news.ended) {
    const auto it = open_.find(end.task.job);
    if (it == open_.end() || it->second.tasks[end.task.index] != place_of::running)
      continue;
    auto& counts = book_of(it->second).counts;
    --counts.running;
    if (end.outcome == task_outcome::lost) {
      ++counts.queued;
      send(it->second, end.task.index, out);
    } else {
      ++(end.outcome == task_outcome::finished ? counts.finished : counts.failed);
      close(it->second, end.task.index, end.at);
    }
  }
  return out;
}

std::vector<core::order> core::set_capacity(const capacity_notice& what) {
  has_.at(what.machine) = what.capacity;
  auto out = take_back(what.machine);
  for (const auto& task : std::exchange(homeless_, {}))
    if (open_.contains(task.job))
      send(open_.at(task.job), task.index, out);
  return out;
}

/// Sends elsewhere the tasks that were sent to a machine, have not started and do not fit any more.
std::vector<core::order> core::take_back(machine_id machine) {
  std::vector<order> out;
  std::vector<job_id> jobs;
  for (const auto& [id, j] : open_)
    jobs.push_back(id);
  for (const auto id : jobs)
    for (std::uint32_t i = 0; open_.contains(id) && i < open_.at(id).tasks.size(); ++i) {
      auto& j = open_.at(id);
      const bool waits_there = j.machines[i] == machine && j.tasks[i] == place_of::sent;
      if (!waits_there || has_[machine].fits(j.what.groups[group_of(j.what, i).first].demand))
        continue;
      auto& counts = book_of(j).counts;
      --counts.in_commit;
      ++counts.queued;
      send(j, i, out);
    }
  return out;
}

void core::close(open_job& j, std::uint32_t task, instant at) {
  j.tasks[task] = place_of::over;
  j.last_end = std::max(j.last_end, at);
  if (--j.left > 0) {
    const bool is_last = !waiting_.empty() && waiting_.back() == j.what.id;
    if (!is_last && !due(j).empty())
      waiting_.push_back(j.what.id);
    return;
  }
  auto& sample = book_of(j).sample;
  ++sample.jobs_finished;
  if (j.what.submitted >= limits_.warmup && j.last_end >= j.what.submitted)
    sample.job_response.add(to_seconds(j.last_end - j.what.submitted));
  open_.erase(open_.find(j.what.id));
}

} // namespace round_robin
