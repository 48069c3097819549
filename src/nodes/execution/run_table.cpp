#include "nodes/execution/run_table.hpp"

#include <utility>

namespace troupe {

namespace {

/// The group of a job is in its number.
constexpr int group_shift = 40;

} // namespace

run_number run_table::start(machine_id machine, const launch_order& order) {
  const auto number = ++latest_;
  runs_.emplace(number, run{machine, order});
  waiting_[order.task] = number;
  ++status_.launched;
  return number;
}

void run_table::note_scheduler_start(machine_id machine, const launch_order& order, instant now) {
  started_.push_back({{order.task, machine, now}, order.launcher});
  const auto group = order.task.job >> group_shift;
  if (group >= starts_by_group_.size())
    starts_by_group_.resize(group + 1);
  ++starts_by_group_[group];
}

void run_table::close(run_number number, task_outcome outcome, instant now) {
  const auto it = runs_.find(number);
  const auto& r = it->second;
  if (r.killed)
    outcome = task_outcome::preempted;
  ends_.push_back({{r.order.task, r.machine, outcome, now, r.order.grant},
                   r.order.launcher,
                   r.order.by_scheduler,
                   number});
  ended_.insert(number);
  ++status_.ended;
  status_.killed += r.killed ? 1 : 0;
  runs_.erase(it);
}

std::optional<attempt_key> run_table::kill(run_number number, instant now) {
  const auto it = runs_.find(number);
  if (it == runs_.end())
    return std::nullopt;
  auto& r = it->second;
  r.killed = true;
  if (r.attempt)
    return r.attempt;
  if (const auto w = waiting_.find(r.order.task); w != waiting_.end() && w->second == number)
    waiting_.erase(w);
  close(number, task_outcome::preempted, now);
  return std::nullopt;
}

std::vector<task_id> run_table::wanted() const {
  std::vector<task_id> tasks;
  for (const auto& [task, _] : waiting_)
    tasks.push_back(task);
  return tasks;
}

run_table::beginning run_table::begin(const task_id& task, const attempt_key& which) {
  const auto it = waiting_.find(task);
  if (it == waiting_.end())
    return beginning::unwanted;
  if (by_attempt_.contains(which))
    return beginning::too_early;
  const auto number = it->second;
  waiting_.erase(it);
  runs_.at(number).attempt = which;
  by_attempt_[which] = number;
  return beginning::begun;
}

void run_table::refuse(const task_id& task, instant now) {
  const auto it = waiting_.find(task);
  if (it == waiting_.end())
    return;
  const auto number = it->second;
  waiting_.erase(it);
  close(number, task_outcome::finished, now);
}

void run_table::end(const attempt_key& which, bool succeeded, instant now) {
  const auto it = by_attempt_.find(which);
  if (it == by_attempt_.end())
    return;
  const auto number = it->second;
  by_attempt_.erase(it);
  close(number, succeeded ? task_outcome::finished : task_outcome::failed, now);
}

std::vector<task_end_queue::entry> run_table::take_ends() {
  return std::exchange(ends_, {});
}

} // namespace troupe
