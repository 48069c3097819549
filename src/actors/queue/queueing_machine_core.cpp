#include "actors/queue/queueing_machine_core.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

bool queueing_machine_core::push(const queue_entry& entry) {
  if (!capacity_.fits(entry.order.demand))
    return false;
  queue_.push(entry);
  return true;
}

const queue_entry* queueing_machine_core::head(instant now) const {
  if (!hours_.any())
    return queue_.head();
  return queue_.head_of([&](const queue_entry& e) { return lets_start(e, now); });
}

std::optional<queue_entry> queueing_machine_core::next(instant now) {
  const auto* first = head(now);
  if (first == nullptr ||
      (!free_.fits(first->order.demand) && !planted(planted_fault::unchecked_capacity)))
    return std::nullopt;
  auto entry = hours_.any()
                 ? *queue_.pop_of([&](const queue_entry& e) { return lets_start(e, now); })
                 : queue_.pop();
  const auto& order = entry.order;
  free_ -= order.demand;
  if (entry.kind == entry_kind::reservation) {
    asked_.push_back(
      {order.task.job, entry.group, entry.tenant, order.launcher, entry.priority, order.demand});
  } else {
    run(order, entry.tenant, entry.kind == entry_kind::granted);
  }
  return entry;
}

std::optional<launch_order> queueing_machine_core::answered(const task_assignment& answer,
                                                            bool may_start, instant now) {
  const auto it = std::ranges::find_if(asked_, [&](const asked& a) {
    return a.job == answer.order.task.job && a.group == answer.group &&
           a.scheduler == answer.order.launcher;
  });
  if (it == asked_.end())
    return std::nullopt;
  const auto was = *it;
  asked_.erase(it);
  free_ += was.held;
  if (answer.none) {
    refund(was);
    return std::nullopt;
  }
  const queue_entry task{entry_kind::task, answer.order, answer.group, was.tenant, was.priority};
  if (!may_start || !lets_start(task, now) ||
      !free_.fits(answer.order.demand)) { // it asks for more than was held: it is queued
    refund(was);
    queue_.push(task);
    return std::nullopt;
  }
  free_ -= answer.order.demand;
  run(answer.order, was.tenant, false);
  return answer.order;
}

void queueing_machine_core::refund(const asked& was) {
  if (was.charged)
    queue_.refund(was.tenant);
}

std::vector<queue_entry> queueing_machine_core::take_closed(instant now) {
  if (!hours_.any())
    return {};
  return queue_.take_reservations(
    [&](const queue_entry& e) { return !hours_.admits_task(now, e.order.estimate, e.tenant); });
}

std::vector<queue_entry> queueing_machine_core::give_away(const machine_hours& thief, instant now) {
  return queue_.take_behind_long(long_running_ > 0, [&](const queue_entry& e) {
    return thief.admits_task(now, e.order.estimate, e.tenant);
  });
}

void queueing_machine_core::note_request(const queue_entry& reservation) {
  const auto& order = reservation.order;
  asked_.push_back({order.task.job,
                    reservation.group,
                    reservation.tenant,
                    order.launcher,
                    reservation.priority,
                    {},
                    false});
}

void queueing_machine_core::release_holds() {
  for (auto it = asked_.rbegin(); it != asked_.rend() && free_.any_negative(); ++it)
    free_ += std::exchange(it->held, {});
}

std::vector<queueing_machine_core::running_task> queueing_machine_core::kill_excess() {
  std::vector<running_task> killed;
  while (free_.any_negative()) {
    auto latest = running_.end();
    for (auto it = running_.begin(); it != running_.end(); ++it)
      if (!it->granted && (latest == running_.end() || it->run > latest->run))
        latest = it;
    if (latest == running_.end())
      break; // the owner orders the rest
    killed.push_back(erase(static_cast<std::size_t>(latest - running_.begin())));
  }
  return killed;
}

void queueing_machine_core::run(const launch_order& order, std::uint32_t tenant, bool granted) {
  running_.push_back({{order.demand, tenant, granted}, order.task, order.launcher});
  unused_ -= order.demand;
  long_running_ += granted;
}

const queueing_machine_core::running_task* queueing_machine_core::find(const task_id& task) const {
  const auto it =
    std::ranges::find_if(running_, [&](const running_task& r) { return r.task == task; });
  return it == running_.end() ? nullptr : &*it;
}

queueing_machine_core::running_task queueing_machine_core::erase(std::size_t index) {
  const auto was = running_[index];
  running_[index] = running_.back();
  running_.pop_back();
  free_ += was.demand;
  unused_ += was.demand;
  long_running_ -= was.granted;
  return was;
}

void queueing_machine_core::started(const task_id& task, run_number run) {
  for (auto& r : running_)
    if (r.task == task)
      r.run = run;
}

std::optional<queueing_machine_core::running_task> queueing_machine_core::ended(run_number run) {
  const auto it = std::ranges::find(running_, run, &running_task::run);
  if (it == running_.end())
    return std::nullopt;
  return erase(static_cast<std::size_t>(it - running_.begin()));
}

std::optional<queueing_machine_core::running_task>
queueing_machine_core::kill(const task_id& task) {
  const auto* found = find(task);
  if (found == nullptr)
    return std::nullopt;
  return erase(static_cast<std::size_t>(found - running_.data()));
}

bool queueing_machine_core::is_granted(run_number run) const {
  const auto it = std::ranges::find(running_, run, &running_task::run);
  return it != running_.end() && it->granted;
}

std::vector<queueing_machine_core::running_task>
queueing_machine_core::kill_all(scheduler_id scheduler) {
  return kill_if([&](const running_task& r) { return !r.granted && r.scheduler == scheduler; });
}

std::vector<queueing_machine_core::running_task> queueing_machine_core::kill_granted() {
  return kill_if([](const running_task& r) { return r.granted; });
}

template <class Predicate>
std::vector<queueing_machine_core::running_task>
queueing_machine_core::kill_if(Predicate is_meant) {
  std::vector<running_task> killed;
  for (std::size_t i = 0; i < running_.size();)
    if (is_meant(running_[i]))
      killed.push_back(erase(i));
    else
      ++i;
  return killed;
}

void queueing_machine_core::drop(scheduler_id scheduler) {
  queue_.drop(scheduler);
  for (auto it = asked_.begin(); it != asked_.end();) {
    if (it->scheduler == scheduler) {
      free_ += it->held;
      refund(*it);
      it = asked_.erase(it);
    } else {
      ++it;
    }
  }
}

bool queueing_machine_core::holds(scheduler_id scheduler) const {
  return queue_.holds(scheduler) ||
         std::ranges::any_of(asked_, [&](const asked& a) { return a.scheduler == scheduler; });
}

std::int32_t queueing_machine_core::length(const resources& demand) const {
  return queue_.empty() ? -times_fitting(free_, demand) : static_cast<std::int32_t>(queue_.size());
}

bool queueing_machine_core::idle(const resources& demand) const {
  return queue_.empty() && asked_.empty() && free_.fits(demand);
}

std::vector<task_id> queueing_machine_core::running() const {
  std::vector<task_id> tasks;
  for (const auto& r : running_)
    tasks.push_back(r.task);
  return tasks;
}

} // namespace troupe
