#include "actors/plugin/plugin_jobs.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

/// Jobs of a store are counted from 0: this is far behind.
constexpr job_id first_alias = job_id{1} << 39;

} // namespace

std::vector<job> plugin_jobs::add(job what) {
  auto& j = open_[what.id];
  j.left = what.task_count();
  j.tasks.resize(j.left);
  if (has_stages(what)) {
    const auto id = what.id;
    j.held = j.left;
    j.what = std::move(what);
    return release(id);
  }
  for (std::uint32_t i = 0; i < j.left; ++i)
    j.tasks[i] = {place::queued, true, {what.id, i}};
  j.what = std::move(what);
  return {j.what};
}

std::vector<job> plugin_jobs::resume(kept_job left,
                                     const std::function<bool(const task_id&)>& runs) {
  const auto id = left.what.id;
  const auto tasks = left.what.task_count();
  std::vector<task_record> records(tasks);
  for (auto i : left.over)
    records.at(i).at = place::over;
  bool started = !left.over.empty();
  for (std::uint32_t i = 0; i < tasks; ++i)
    if (records[i].at != place::over && runs({id, i})) {
      records[i].at = place::running;
      started = true;
    }
  if (!started)
    return add(std::move(left.what));
  auto& j = open_[id];
  j.held = static_cast<std::uint32_t>(std::ranges::count(records, place::held, &task_record::at));
  j.left = tasks - static_cast<std::uint32_t>(left.over.size());
  j.what = std::move(left.what);
  j.tasks = std::move(records);
  j.fate = left.fate;
  return release(id);
}

const job* plugin_jobs::find(job_id id) const {
  const auto it = open_.find(id);
  return it == open_.end() ? nullptr : &it->second.what;
}

std::optional<task_id> plugin_jobs::named(const task_id& seen) const {
  const auto alias = aliases_.find(seen.job);
  if (alias != aliases_.end()) {
    const auto& [id, tasks] = alias->second;
    if (seen.index >= tasks.size())
      return std::nullopt;
    return task_id{id, tasks[seen.index]};
  }
  const auto it = open_.find(seen.job);
  if (it == open_.end() || seen.index >= it->second.tasks.size())
    return std::nullopt;
  const auto& record = it->second.tasks[seen.index];
  return record.shown && record.seen == seen ? std::optional{seen} : std::nullopt;
}

std::optional<job_id> plugin_jobs::job_named(job_id seen) const {
  if (const auto alias = aliases_.find(seen); alias != aliases_.end())
    return alias->second.first;
  return named({seen, 0}) ? std::optional{seen} : std::nullopt;
}

std::optional<std::uint32_t> plugin_jobs::alias_number(job_id seen) {
  if ((seen & first_alias) == 0)
    return std::nullopt;
  return static_cast<std::uint32_t>(seen & (first_alias - 1));
}

job_id plugin_jobs::alias_of(job_id id, std::uint32_t number) {
  return (job_id{store_of(id)} << 40) | first_alias | number;
}

const task_group& plugin_jobs::group_of(const task_id& task) const {
  auto i = task.index;
  for (const auto& g : open_.at(task.job).what.groups) {
    if (i < g.count)
      return g;
    i -= g.count;
  }
  throw std::out_of_range("task " + to_string(task) + " is not of its job");
}

bool plugin_jobs::knows_together(const task_id& a, const task_id& b) const {
  const auto& one = at(a);
  const auto& other = at(b);
  return one.shown && other.shown && one.seen.job == other.seen.job;
}

void plugin_jobs::put_back(const task_id& task) {
  auto& j = open_.at(task.job);
  auto& record = j.tasks.at(task.index);
  record.at = record.shown ? place::queued : place::held;
  j.held += !record.shown;
}

bool plugin_jobs::waits(const open_job& j, std::uint32_t group) {
  return std::ranges::any_of(j.what.groups[group].after, [&](std::uint32_t before) {
    std::uint32_t first = 0;
    for (std::uint32_t g = 0; g < before; ++g)
      first += j.what.groups[g].count;
    for (auto i = first; i < first + j.what.groups[before].count; ++i)
      if (j.tasks[i].at != place::over)
        return true;
    return false;
  });
}

void plugin_jobs::show(open_job& j, job& part, const std::vector<std::uint32_t>& tasks) {
  part.id = alias_of(j.what.id, next_alias_++);
  for (std::uint32_t i = 0; i < tasks.size(); ++i) {
    auto& record = j.tasks[tasks[i]];
    record = {place::queued, true, {part.id, i}};
  }
  j.held -= static_cast<std::uint32_t>(tasks.size());
  aliases_[part.id] = {j.what.id, tasks};
  j.aliases.push_back(part.id);
}

std::vector<job> plugin_jobs::release(job_id id) {
  std::vector<job> out;
  const auto it = open_.find(id);
  if (it == open_.end() || it->second.held == 0)
    return out;
  auto& j = it->second;
  std::uint32_t first = 0;
  for (std::uint32_t g = 0; g < j.what.groups.size(); ++g) {
    const auto& group = j.what.groups[g];
    std::vector<std::uint32_t> tasks;
    auto part_group = task_group{0, group.demand, {}, group.constraints, group.task_class, {}};
    for (std::uint32_t i = 0; i < group.count; ++i)
      if (j.tasks[first + i].at == place::held) {
        tasks.push_back(first + i);
        part_group.durations.push_back(group.duration_of(i));
      }
    first += group.count;
    if (tasks.empty() || waits(j, g))
      continue;
    part_group.count = static_cast<std::uint32_t>(tasks.size());
    job part{0,
             j.what.submitted,
             j.what.estimate,
             {std::move(part_group)},
             j.what.group,
             j.what.tenant,
             j.what.priority,
             false,
             j.what.spread};
    show(j, part, tasks);
    out.push_back(std::move(part));
  }
  return out;
}

std::optional<plugin_jobs::job_end> plugin_jobs::close(const task_id& task, instant when,
                                                       task_fate fate) {
  auto& j = open_.at(task.job);
  j.tasks.at(task.index).at = place::over;
  j.fate = std::max(j.fate, fate);
  j.last_end = std::max(j.last_end, when);
  if (--j.left > 0)
    return std::nullopt;
  const job_end end{j.fate, j.what.submitted, j.last_end};
  for (auto alias : j.aliases)
    aliases_.erase(alias);
  open_.erase(task.job);
  return end;
}

std::uint64_t plugin_jobs::count(place at) const {
  std::uint64_t n = 0;
  for (const auto& [_, j] : open_)
    n += static_cast<std::uint64_t>(std::ranges::count(j.tasks, at, &task_record::at));
  return n;
}

std::vector<task_id> plugin_jobs::queued_of(std::uint32_t group) const {
  std::vector<task_id> tasks;
  for (const auto& [id, j] : open_)
    for (std::uint32_t i = 0; j.what.group == group && i < j.tasks.size(); ++i)
      if (j.tasks[i].at == place::queued)
        tasks.push_back({id, i});
  return tasks;
}

void plugin_jobs::visit(const std::function<void(const job&)>& look) const {
  for (const auto& [_, j] : open_)
    look(j.what);
}

} // namespace troupe
