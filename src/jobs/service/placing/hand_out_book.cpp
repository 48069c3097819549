#include "jobs/service/placing/hand_out_book.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

constexpr job_id own_number(job_id of_scheduler) {
  return of_scheduler & ((job_id{1} << scheduler_job_bits) - 1);
}

} // namespace

std::uint32_t hand_out_book::number_of(const std::string& tenant) const {
  const auto it = std::ranges::find(tenants_, tenant);
  return it == tenants_.end() ? 0 : static_cast<std::uint32_t>(it - tenants_.begin());
}

void hand_out_book::hand_out(live_job& j, live_group& g, std::vector<std::uint32_t> tasks) {
  const auto id = numbers_.next();
  const auto count = tasks.empty() ? g.count : static_cast<std::uint32_t>(tasks.size());
  if (tasks.empty()) {
    g.rest_placed_by = id;
  } else {
    for (const auto i : tasks)
      (g.tasks[i].touched ? g.tasks[i].placed_by : g.rest_placed_by) = id;
  }
  const auto& spec = j.spec.groups[g.number];
  job made;
  made.id = id;
  made.estimate = spec.time_limit;
  made.priority = j.row.priority;
  made.tenant = number_of(j.row.tenant);
  made.gang = spec.gang && count > 1;
  task_group group;
  group.count = count;
  group.demand = spec.demand();
  group.durations = {spec.time_limit};
  group.constraints = spec.constraints;
  made.groups.push_back(std::move(group));
  orders_.made.push_back(std::move(made));
  handed_[id] = {j.row.id, g.number, std::move(tasks), count};
}

void hand_out_book::leave(job_id placed_by) {
  const auto it = handed_.find(placed_by);
  if (it != handed_.end() && --it->second.left == 0)
    handed_.erase(it);
}

void hand_out_book::withdraw(const task_numbers& tasks) {
  for (const auto& [id, count] : tasks) {
    const auto it = handed_.find(id);
    if (it == handed_.end() || count == 0)
      continue;
    orders_.withdrawn.push_back(id);
    it->second.left -= count;
    if (it->second.left == 0)
      handed_.erase(it);
  }
}

std::optional<hand_out_book::task_place> hand_out_book::latest_of(task_id as) {
  const auto handed = handed_.find(own_number(as.job));
  if (handed == handed_.end())
    return std::nullopt;
  const auto& [job, group, tasks, left] = handed->second;
  auto* const j = jobs_.find_open(job);
  if (j == nullptr)
    return std::nullopt;
  const auto& g = j->groups[group];
  if (as.index >= (tasks.empty() ? g.count : tasks.size()))
    return std::nullopt;
  const auto in_group = tasks.empty() ? as.index : tasks[as.index];
  if (g.placed_by(in_group) != handed->first)
    return std::nullopt;
  return task_place{j, g.first + in_group};
}

std::vector<job_id> hand_out_book::below(job_id end) const {
  std::vector<job_id> ids;
  for (const auto& [id, _] : handed_)
    if (id < end)
      ids.push_back(id);
  std::ranges::sort(ids);
  return ids;
}

scheduler_orders hand_out_book::take_orders() {
  return std::exchange(orders_, {});
}

} // namespace troupe
