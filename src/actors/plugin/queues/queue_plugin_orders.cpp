#include "actors/plugin/queues/queue_plugin_orders.hpp"

namespace troupe {

void queue_plugin_orders::note_sent(const task_id& task, machine_id machine, instant now) {
  auto& record = tables_.books.jobs.at(task);
  record.at = plugin_jobs::place::in_commit;
  record.machine = machine;
  tables_.sent.add(task, machine);
  auto& [counts, sample] = tables_.books.of(task);
  --counts.queued;
  ++counts.in_commit;
  ++sample.sparrow.launched;
  if (tables_.records)
    tables_.records->send(task, machine, now);
}

void queue_plugin_orders::send(machine_id machine, const queue_entry& entry, instant now,
                               sparrow_outbox& out) {
  ++count_;
  auto sent = entry;
  sent.order.by_scheduler = true;
  if (entry.kind == entry_kind::task) {
    sent.order.task = *tables_.books.jobs.named(entry.order.task);
    note_sent(sent.order.task, machine, now);
  } else {
    const auto of = tables_.names.named({entry.order.task.job, entry.group});
    if (!of)
      return;
    sent.order.task = {of->job, 0};
    sent.group = of->group;
  }
  sent.order.estimate = tables_.estimate_of(sent.order.task.job);
  if (tables_.notices.leaves(machine))
    return;
  if (entry.kind == entry_kind::task && apart_.has_beside(sent.order.task, machine))
    apart_.keep(machine, sent);
  else
    out.entries.emplace_back(machine, sent);
}

void queue_plugin_orders::send(machine_id machine, const task_assignment& answer, instant now,
                               sparrow_outbox& out) {
  ++count_;
  const auto of = tables_.requests.take(machine, {answer.order.task.job, answer.group});
  auto sent = answer;
  sent.group = of.group;
  sent.order.by_scheduler = true;
  sent.order.task = {of.job, 0};
  if (!answer.none) {
    const auto task = *tables_.books.jobs.named(answer.order.task);
    sent.order.task = task;
    sent.order.estimate = tables_.estimate_of(task.job);
    note_sent(task, machine, now);
    sent.none = tables_.notices.leaves(machine);
    if (!sent.none && apart_.has_beside(task, machine)) {
      const auto& j = *tables_.books.jobs.find(task.job);
      apart_.keep(machine,
                  {entry_kind::task, sent.order, of.group, j.tenant, j.priority, machine, 0});
      sent.none = true;
    }
  }
  out.assignments.emplace_back(machine, sent);
}

void queue_plugin_orders::send(machine_id machine, const cancellation& what, sparrow_outbox& out) {
  ++count_;
  // Machines would drop the reservations for other parts of the job as well. Those for this part
  // are answered when they ask.
  if (!plugin_jobs::alias_number(what.job))
    out.cancellations.emplace_back(machine, what);
}

void queue_plugin_orders::send(machine_id machine, const queue_probe& probe, sparrow_outbox& out) {
  ++count_;
  out.probes.emplace_back(machine, probe);
}

} // namespace troupe
