#include "actors/plugin/queues/queue_order_faults.hpp"

namespace troupe {

namespace {

std::string of_other(const char* what, scheduler_id scheduler) {
  return std::string{"sends "} + what + " in the name of scheduler " + std::to_string(scheduler);
}

std::string on_machine(machine_id machine) {
  return " to machine " + std::to_string(machine);
}

} // namespace

std::string queue_order_faults::of_task(const launch_order& order) const {
  using place = plugin_jobs::place;
  const auto& jobs = tables_.books.jobs;
  const auto task = jobs.named(order.task);
  if (!task || jobs.at(*task).at == place::over)
    return ", which it was not given, or which is over";
  const auto& record = jobs.at(*task);
  if (record.at != place::queued)
    return std::string{" a second time: it "} +
           (record.at == place::running ? "runs on" : "was sent to") + " machine " +
           std::to_string(record.machine);
  const auto& demand = jobs.group_of(*task).demand;
  if (order.demand != demand)
    return " with a demand of " + to_string(order.demand) + "; it asks for " + to_string(demand);
  return {};
}

std::string queue_order_faults::of(machine_id machine, const queue_entry& entry) const {
  const auto& order = entry.order;
  if (!is_own(order.launcher))
    return of_other("an entry", order.launcher);
  const auto name = entry.kind == entry_kind::reservation
                      ? "a reservation of job " + std::to_string(order.task.job)
                      : "task " + to_string(order.task);
  const auto what = "sends " + name + on_machine(machine);
  if (entry.kind == entry_kind::granted)
    return what + " as if an owner had granted it";
  const auto& capacity = tables_.notices.heard(machine);
  if (capacity.is_zero() || !capacity.fits(order.demand))
    return what + ", which has " + (capacity.is_zero() ? "nothing" : to_string(capacity)) +
           "; it asks for " + to_string(order.demand);
  if (entry.kind == entry_kind::reservation)
    return {};
  const auto fault = of_task(order);
  return fault.empty() ? fault : what + fault;
}

std::string queue_order_faults::of(machine_id machine, const task_assignment& answer) const {
  const auto& order = answer.order;
  if (!is_own(order.launcher))
    return of_other("an answer", order.launcher);
  if (!tables_.requests.has(machine, {order.task.job, answer.group}))
    return "answers machine " + std::to_string(machine) +
           ", which has not asked for a task of group " + std::to_string(answer.group) +
           " of job " + std::to_string(order.task.job);
  if (answer.none)
    return {};
  const auto fault = of_task(order);
  return fault.empty() ? fault
                       : "hands task " + to_string(order.task) + on_machine(machine) + fault;
}

std::string queue_order_faults::of(machine_id, const cancellation& what) const {
  return is_own(what.scheduler) ? "" : of_other("a cancellation", what.scheduler);
}

std::string queue_order_faults::of(machine_id, const queue_probe& probe) const {
  return is_own(probe.scheduler) ? "" : of_other("a probe", probe.scheduler);
}

std::string queue_order_faults::of(machine_id machine, const capacity_heard& what) const {
  if (!is_own(what.scheduler))
    return of_other("an answer", what.scheduler);
  const auto notices = tables_.notices.count(machine);
  if (what.number > notices)
    return "has heard notice " + std::to_string(what.number) + " of machine " +
           std::to_string(machine) + ", and there were " + std::to_string(notices) + " only";
  return {};
}

} // namespace troupe
