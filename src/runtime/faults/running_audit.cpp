#include "runtime/faults/running_audit.hpp"

#include "runtime/cluster/places.hpp"
#include "runtime/cluster/state_of.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace troupe {

namespace {

std::string task_text(const task_id& task) {
  return "task " + to_string(task);
}

std::string machine_text(machine_id machine) {
  return "machine " + std::to_string(machine);
}

/// The first number of the tasks of each group, and behind the last: consecutive groups have
/// consecutive numbers.
std::vector<std::uint32_t> first_tasks(const job& of) {
  std::vector<std::uint32_t> first{0};
  for (const auto& group : of.groups)
    first.push_back(first.back() + group.count);
  return first;
}

} // namespace

// -- what runs ----------------------------------------------------------------------------------

void running_audit::started(machine_id machine, const launch_order& order, run_number run,
                            instant now) {
  ++starts_;
  if (const auto* store = store_of(order.task.job); store != nullptr && store->is_over(order.task))
    to_.fail(task_text(order.task) + " is started on " + machine_text(machine) +
             " although it is over");
  check_request(order.task, machine, now);
  runs_.insert_or_assign({order.task, machine}, active_run{run, order.demand});
  check_room(machine, now);
  check_doubles();
}

void running_audit::killed(machine_id machine, run_number run, const task_id& task) {
  const auto it = runs_.find({task, machine});
  if (it != runs_.end() && it->second.number == run)
    runs_.erase(it);
}

void running_audit::ended(machine_id machine, run_number run, const task_id& task) {
  killed(machine, run, task);
  ended_.insert(task);
}

void running_audit::lose(machine_id machine) {
  std::erase_if(runs_, [&](const auto& r) { return r.first.second == machine; });
}

void running_audit::freeze(machine_id machine, bool begins) {
  if (begins)
    still_.insert(machine);
  else
    still_.erase(machine);
}

// -- room ---------------------------------------------------------------------------------------

resources running_audit::used(machine_id machine) const {
  resources sum;
  for (const auto& [where, what] : runs_)
    if (where.second == machine)
      sum += what.demand;
  return sum;
}

void running_audit::check_room(machine_id machine, instant now) {
  if (!cluster_->capacity_of(machine, now).fits(used(machine)))
    to_.fail(machine_text(machine) + " runs more than it has room for");
}

void running_audit::check_rooms(instant now) {
  for (const auto& [where, _] : runs_)
    if (!still_.contains(where.second))
      check_room(where.second, now);
}

void running_audit::check_doubles() {
  const std::pair<task_id, machine_id>* before = nullptr;
  for (const auto& [where, what] : runs_) {
    if (still_.contains(where.second))
      continue;
    if (before != nullptr && before->first == where.first)
      to_.fail(task_text(where.first) + " runs on " + machine_text(before->second) + " and on " +
               machine_text(where.second));
    before = &where;
  }
}

void running_audit::check_end() {
  check_doubles();
  if (!runs_.empty())
    to_.fail("in the end " + task_text(runs_.begin()->first.first) + " runs on " +
             machine_text(runs_.begin()->first.second) + ", and no scheduler waits for it");
}

// -- what a job asks for ------------------------------------------------------------------------

const job_store* running_audit::store_of(job_id job) const {
  const auto* one = cluster_->latest(role::workload, troupe::store_of(job));
  const auto* state = one == nullptr ? nullptr : state_of<workload_actor, workload_state>(*one);
  return state != nullptr && state->store ? &*state->store : nullptr;
}

void running_audit::check_request(const task_id& task, machine_id machine, instant now) {
  const auto* store = store_of(task.job);
  const auto* of = store == nullptr ? nullptr : store->find(task.job);
  if (of == nullptr)
    return;
  const auto first = first_tasks(*of);
  const auto behind = std::ranges::upper_bound(first, task.index);
  const auto group = static_cast<std::size_t>(behind - first.begin()) - 1;
  if (group >= of->groups.size())
    return;
  const auto& asked = of->groups[group];
  check_order(task, *of, asked);
  const auto& machines = *cluster_->machines();
  if (!machines.meets(machines.machine(machine).kind, asked.constraints))
    to_.fail(task_text(task) + " is started on " + machine_text(machine) +
             ", which does not meet its constraints");
  if (of->spread)
    check_spread(task, machine);
  check_windows(task, *of, machine, now);
}

/// It goes by the estimate and the tenant that the client has given, not by those in the order.
void running_audit::check_windows(const task_id& task, const job& of, machine_id machine,
                                  instant now) {
  const auto* windows = cluster_->machines()->windows();
  if (windows != nullptr &&
      !windows->lets_start(windows->class_of(machine), now, of.estimate, of.tenant))
    to_.fail(task_text(task) + " is started on " + machine_text(machine) +
             ", a window of which keeps it away");
}

void running_audit::check_order(const task_id& task, const job& of, const task_group& asked) {
  const auto first = first_tasks(of);
  const auto* store = store_of(task.job);
  for (const auto parent : asked.after)
    for (auto i = first[parent]; i < first[parent + 1]; ++i)
      if (const task_id awaited{task.job, i};
          !ended_.contains(awaited) && !given_up_.contains(awaited) && !store->is_over(awaited))
        to_.fail(task_text(task) + " is started before " + task_text(awaited) +
                 ", for which it waits, is over");
}

void running_audit::check_spread(const task_id& task, machine_id machine) {
  for (auto run = runs_.lower_bound({{task.job, 0}, 0});
       run != runs_.end() && run->first.first.job == task.job; ++run)
    if (run->first.second == machine && run->first.first != task)
      to_.fail(task_text(task) + " is started on " + machine_text(machine) + " beside " +
               task_text(run->first.first) + " of its job, which spreads");
}

} // namespace troupe
