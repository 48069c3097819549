#pragma once

#include "actors/sparrow/sparrow_tables.hpp"
#include "model/protocol/failure_protocol.hpp"

#include <map>

namespace troupe {

/// Takes over the jobs that an earlier incarnation of the scheduler has left.
class job_takeover {
public:
  explicit job_takeover(sparrow_tables& tables) : tables_(tables) {}

  /// Takes a job in of which some tasks are over, or run on the machines that `runs_on` names. The
  /// others wait; if there are none, nothing has to be decided.
  void resume(const kept_job& left, const std::map<task_id, machine_id>& runs_on) {
    auto& j = tables_.jobs.add(left.what, tables_.probed.pools());
    tables_.accounts.submit(j);
    tables_.accounts.resume(j, left);
    j.close_before(left.over);
    j.fate = left.fate;
    for (std::uint32_t task = 0; task < j.tasks.size(); ++task) {
      const auto at = runs_on.find({j.what.id, task});
      if (at == runs_on.end() || j.tasks[task].state == open_job::task_state::over)
        continue;
      j.tasks[task] = {at->second, open_job::task_state::running};
      tables_.accounts.resume_run(j, task, at->second);
      tables_.affected.note_place(j.what.id, at->second);
    }
    const auto waiting = j.count_waiting_again();
    tables_.accounts.count_waiting(j);
    if (waiting > 0)
      return;
    tables_.jobs.withdraw(j);
    j.placed = true;
  }

private:
  sparrow_tables& tables_;
};

} // namespace troupe
