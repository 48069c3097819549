#include "actors/sparrow/runs/task_runs.hpp"

namespace troupe {

/// News from a machine that has been given up is no surprise.
void task_runs::count_unknown(machine_id from) {
  if (!tables_.probed.is_gone(from))
    tables_.accounts.count_unknown();
}

void task_runs::start(const task_start& what) {
  auto* j = tables_.jobs.find(what.task);
  if (j == nullptr || !j->is_at(what.task.index, what.machine, open_job::task_state::sent)) {
    count_unknown(what.machine); // it has started twice
    return;
  }
  j->tasks[what.task.index].state = open_job::task_state::running;
  const auto g = j->group_of(what.task.index);
  tables_.accounts.start(*j, g, what, tables_.probed.is_wrong(*j, g, what.machine, what.at));
}

void task_runs::end(const task_end& what, sparrow_outbox& out) {
  auto* j = tables_.jobs.find(what.task);
  if (j != nullptr && j->is_at(what.task.index, what.machine, open_job::task_state::sent)) {
    // The news of its start was lost.
    start({what.task, what.machine, what.at - j->runtime_of(what.task.index)});
  }
  if (j == nullptr || !j->is_at(what.task.index, what.machine, open_job::task_state::running)) {
    count_unknown(what.machine);
    return;
  }
  const bool was_lost = what.outcome == task_outcome::lost;
  if (was_lost && !may_retry(what.task)) {
    closer_.end(*j, what.task, task_fate::lost, what.at, out);
    if (!closer_.finish_if_over(*j))
      search_.look_again(*j, out);
    return;
  }
  if (was_lost || what.outcome == task_outcome::preempted) {
    tables_.accounts.lose(*j, what.task, what.at);
    tables_.jobs.put_back(*j, what.task.index);
    search_.look_again(*j, out);
    return;
  }
  closer_.end(*j, what.task, fate_of(what.outcome), what.at, out);
  if (!closer_.finish_if_over(*j) && j->what.spread)
    reservations_.reserve_what_is_missing(*j, out);
}

} // namespace troupe
