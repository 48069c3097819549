#include "actors/plugin/queue_plugin_core.hpp"

#include <optional>

// What the plugin sends to machines: that part of queue_plugin_core.
namespace troupe {

namespace {

/// The group in a reservation for a part of a job that only the plugin knows as a job: this number
/// and the part's. Machines return the group with their requests and do not use it.
constexpr std::uint32_t first_part = std::uint32_t{1} << 31;

std::string of_other(const char* what, scheduler_id scheduler) {
  return std::string{"sends "} + what + " in the name of scheduler " + std::to_string(scheduler);
}

std::string on_machine(machine_id machine) {
  return " to machine " + std::to_string(machine);
}

} // namespace

// -- names --------------------------------------------------------------------------------------

/// Returns a reservation by the numbers of the cluster, or nothing if its job is over.
std::optional<queue_plugin_core::reservation> queue_plugin_core::named(job_id seen,
                                                                       std::uint32_t group) const {
  const auto id = books_.jobs.job_named(seen);
  if (!id)
    return std::nullopt;
  const auto part = plugin_jobs::alias_number(seen);
  if (!part && group >= books_.jobs.find(*id)->groups.size())
    return std::nullopt;
  return reservation{*id, part ? first_part | *part : group};
}

/// Returns a reservation by the plugin's numbers, or nothing if its job is over.
std::optional<queue_plugin_core::reservation>
queue_plugin_core::seen(const reservation& what) const {
  const bool part = what.group >= first_part;
  const reservation own{part ? plugin_jobs::alias_of(what.job, what.group - first_part) : what.job,
                        part ? 0 : what.group};
  return books_.jobs.job_named(own.job) ? std::optional{own} : std::nullopt;
}

/// The group that a reservation is for, whose job is not over.
const task_group& queue_plugin_core::group_of(const reservation& what) const {
  if (what.group < first_part)
    return books_.jobs.find(what.job)->groups.at(what.group);
  return books_.jobs.group_of(
    *books_.jobs.named({plugin_jobs::alias_of(what.job, what.group - first_part), 0}));
}

/// Whether a machine is there and could hold a task.
bool queue_plugin_core::takes(machine_id machine, const resources& demand) const {
  return machine < notes_.size() && !notes_[machine].leaves && !notes_[machine].told.is_zero() &&
         notes_[machine].told.fits(demand);
}

// -- faults -------------------------------------------------------------------------------------

bool queue_plugin_core::is_void(machine_id machine) const {
  return !begun_ || notes_.at(machine).notices_heard < notes_[machine].valid_from;
}

std::string queue_plugin_core::fault_of_task(const launch_order& order) const {
  const auto task = books_.jobs.named(order.task);
  if (!task)
    return ", which it was not given, or which is over";
  const auto& record = books_.jobs.at(*task);
  if (record.at == place::over)
    return ", which it was not given, or which is over";
  if (record.at != place::queued)
    return std::string{" a second time: it "} +
           (record.at == place::running ? "runs on" : "was sent to") + " machine " +
           std::to_string(record.machine);
  const auto& demand = books_.jobs.group_of(*task).demand;
  if (order.demand != demand)
    return " with a demand of " + to_string(order.demand) + "; it asks for " + to_string(demand);
  return {};
}

std::string queue_plugin_core::fault_of(machine_id machine, const queue_entry& entry) const {
  const auto& order = entry.order;
  if (order.launcher != rules_.id)
    return of_other("an entry", order.launcher);
  const auto name = entry.kind == entry_kind::reservation
                      ? "a reservation of job " + std::to_string(order.task.job)
                      : "task " + to_string(order.task);
  const auto what = "sends " + name + on_machine(machine);
  if (entry.kind == entry_kind::granted)
    return what + " as if an owner had granted it";
  const auto& capacity = notes_.at(machine).heard;
  if (capacity.is_zero() || !capacity.fits(order.demand))
    return what + ", which has " + (capacity.is_zero() ? "nothing" : to_string(capacity)) +
           "; it asks for " + to_string(order.demand);
  if (entry.kind == entry_kind::reservation)
    return {};
  const auto fault = fault_of_task(order);
  return fault.empty() ? fault : what + fault;
}

std::string queue_plugin_core::fault_of(machine_id machine, const task_assignment& answer) const {
  const auto& order = answer.order;
  if (order.launcher != rules_.id)
    return of_other("an answer", order.launcher);
  if (!requests_.contains({machine, order.task.job, answer.group}))
    return "answers machine " + std::to_string(machine) +
           ", which has not asked for a task of group " + std::to_string(answer.group) +
           " of job " + std::to_string(order.task.job);
  if (answer.none)
    return {};
  const auto fault = fault_of_task(order);
  return fault.empty() ? fault
                       : "hands task " + to_string(order.task) + on_machine(machine) + fault;
}

std::string queue_plugin_core::fault_of(machine_id, const cancellation& what) const {
  return what.scheduler == rules_.id ? "" : of_other("a cancellation", what.scheduler);
}

std::string queue_plugin_core::fault_of(machine_id, const queue_probe& probe) const {
  return probe.scheduler == rules_.id ? "" : of_other("a probe", probe.scheduler);
}

std::string queue_plugin_core::fault_of(machine_id machine, const capacity_heard& what) const {
  if (what.scheduler != rules_.id)
    return of_other("an answer", what.scheduler);
  if (what.number > notes_.at(machine).notices)
    return "has heard notice " + std::to_string(what.number) + " of machine " +
           std::to_string(machine) + ", and there were " + std::to_string(notes_[machine].notices) +
           " only";
  return {};
}

// -- orders -------------------------------------------------------------------------------------

/// Notes that a task was sent to a machine.
void queue_plugin_core::send(const task_id& task, machine_id machine, instant now) {
  auto& record = books_.jobs.at(task);
  record.at = place::in_commit;
  record.machine = machine;
  on_[machine].insert(task);
  auto& [counts, sample] = books_.of(task);
  --counts.queued;
  ++counts.in_commit;
  ++sample.sparrow.launched;
  if (records_)
    records_->send(task, machine, now);
}

/// Notes that a task is not on a machine any more.
void queue_plugin_core::leave(const task_id& task, machine_id machine) {
  const auto there = on_.find(machine);
  there->second.erase(task);
  if (there->second.empty())
    on_.erase(there);
}

/// Notes that the plugin has a task queued again that it had sent to a machine.
void queue_plugin_core::take_back(const task_id& task, machine_id machine) {
  leave(task, machine);
  books_.jobs.put_back(task);
  auto& counts = books_.of(task).counts;
  --counts.in_commit;
  ++counts.queued;
  if (records_)
    records_->take_back(task);
}

/// Machines compare the estimates of jobs with their windows, if there are any.
duration queue_plugin_core::estimate_of(job_id job) const {
  return machines_->windows() != nullptr ? books_.jobs.find(job)->estimate : duration::zero();
}

void queue_plugin_core::order(machine_id machine, const queue_entry& entry, instant now,
                              sparrow_outbox& out) {
  ++order_count_;
  auto sent = entry;
  sent.order.by_scheduler = true;
  if (entry.kind == entry_kind::task) {
    sent.order.task = *books_.jobs.named(entry.order.task);
    send(sent.order.task, machine, now);
  } else {
    const auto of = named(entry.order.task.job, entry.group);
    if (!of)
      return;
    sent.order.task = {of->job, 0};
    sent.group = of->group;
  }
  sent.order.estimate = estimate_of(sent.order.task.job);
  if (!notes_[machine].leaves)
    out.entries.emplace_back(machine, sent);
}

void queue_plugin_core::order(machine_id machine, const task_assignment& answer, instant now,
                              sparrow_outbox& out) {
  ++order_count_;
  const auto request = requests_.find({machine, answer.order.task.job, answer.group});
  const auto of = request->second.of;
  if (--request->second.count == 0)
    requests_.erase(request);
  auto sent = answer;
  sent.group = of.group;
  sent.order.by_scheduler = true;
  sent.order.task = {of.job, 0};
  if (!answer.none) {
    sent.order.task = *books_.jobs.named(answer.order.task);
    sent.order.estimate = estimate_of(sent.order.task.job);
    send(sent.order.task, machine, now);
    sent.none = notes_[machine].leaves;
  }
  out.assignments.emplace_back(machine, sent);
}

void queue_plugin_core::order(machine_id machine, const cancellation& what, instant,
                              sparrow_outbox& out) {
  ++order_count_;
  // Machines would drop the reservations for other parts of the job as well. Those for this part
  // are answered when they ask.
  if (!plugin_jobs::alias_number(what.job))
    out.cancellations.emplace_back(machine, what);
}

void queue_plugin_core::order(machine_id machine, const queue_probe& probe, instant,
                              sparrow_outbox& out) {
  ++order_count_;
  out.probes.emplace_back(machine, probe);
}

void queue_plugin_core::order(machine_id machine, const capacity_heard& what, instant,
                              sparrow_outbox& out) {
  const auto pending = unheard_.find(machine);
  if (pending == unheard_.end())
    return;
  auto& notices = pending->second;
  for (; !notices.empty() && notices.front().number <= what.number; notices.pop_front())
    hear(machine, notices.front(), out);
  if (notices.empty())
    unheard_.erase(pending);
  note_drained(machine);
}

/// The plugin has heard what a machine has.
void queue_plugin_core::hear(machine_id machine, const told_notice& notice, sparrow_outbox& out) {
  auto& note = notes_[machine];
  note.heard = notice.capacity;
  note.notices_heard = notice.number;
  const auto on = on_.find(machine);
  for (const auto& task : on == on_.end() ? std::set<task_id>{} : std::set{on->second})
    if (books_.jobs.at(task).at == place::in_commit &&
        (notice.capacity.is_zero() || !notice.capacity.fits(books_.jobs.group_of(task).demand))) {
      take_back(task, machine);
      if (const auto leaving = drained_.find(machine); leaving != drained_.end())
        leaving->second.erase(task);
    }
  if (notice.of_machine > 0)
    out.heard.push_back({machine, {rules_.id, notice.of_machine}});
  give_back_stolen(machine, notice.capacity, out);
}

/// A machine drops reservations that it has no room for any more. The plugin moves its own: those
/// that the machine has stolen go back to where they are for the plugin.
void queue_plugin_core::give_back_stolen(machine_id machine, const resources& capacity,
                                         sparrow_outbox& out) {
  const auto here = stolen_.find(machine);
  if (here == stolen_.end())
    return;
  std::vector<stolen_reservation> back;
  for (const auto& what : std::exchange(here->second, {}))
    if (seen(what.of)) {
      const bool stays = !capacity.is_zero() && capacity.fits(group_of(what.of).demand);
      (stays ? here->second : back).push_back(what);
    }
  if (here->second.empty())
    stolen_.erase(here);
  for (const auto& what : back)
    place_again(what, what.placed_on, out);
}

} // namespace troupe
