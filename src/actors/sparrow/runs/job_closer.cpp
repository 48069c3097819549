#include "actors/sparrow/runs/job_closer.hpp"

#include <algorithm>

namespace troupe {

void job_closer::close(open_job& j, const task_id& task, task_fate fate, instant at,
                       sparrow_outbox& out) {
  tables_.accounts.close(task, at, fate);
  const auto released = j.close(task.index, at);
  j.fate = std::max(j.fate, fate);
  if (auto* losses = tables_.affected.losses()) {
    losses->over(task);
    out.over.emplace_back(task, fate);
  }
  if (released.empty())
    return;
  tables_.accounts.release(j, released);
  search_.place_released(j, released, out);
}

void job_closer::end(open_job& j, const task_id& task, task_fate fate, instant at,
                     sparrow_outbox& out) {
  tables_.accounts.end(j, fate);
  j.last_end = std::max(j.last_end, at);
  close(j, task, fate, at, out);
}

bool job_closer::finish_if_over(open_job& j) {
  if (j.unfinished > 0)
    return false;
  tables_.accounts.finish(j);
  tables_.ratio.note_room(j.met_room, j.reserved);
  tables_.jobs.close(j);
  return true;
}

/// The groups that wait for others go first: none of them is released.
void job_closer::abandon(open_job& j, instant now, sparrow_outbox& out) {
  tables_.jobs.withdraw(j);
  j.abandoned = true;
  for (auto g = static_cast<std::uint32_t>(j.groups.size()); g-- > 0;)
    while (j.groups[g].waiting > 0) {
      const task_id task{j.what.id, j.take_task(g)};
      tables_.accounts.abandon(j, g, now);
      close(j, task, task_fate::abandoned, now, out);
    }
  j.last_end = std::max(j.last_end, now);
  // A machine with too little for its demand would wait for it, and not ask.
  reservations_.cancel(j, out);
  finish_if_over(j);
}

} // namespace troupe
