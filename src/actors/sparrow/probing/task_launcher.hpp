#pragma once

#include "actors/sparrow/sparrow_outbox.hpp"
#include "actors/sparrow/sparrow_tables.hpp"

#include <cstdint>

namespace troupe {

/// Sends tasks to machines, and books where they are from then on.
class task_launcher {
public:
  explicit task_launcher(sparrow_tables& tables) : tables_(tables) {}

  /// Books that a task, which was taken from its group, is sent to a machine. Returns the order.
  launch_order launch(open_job& j, std::uint32_t g, std::uint32_t task, machine_id to) {
    tables_.accounts.send(j, task, to);
    j.tasks[task] = {to, open_job::task_state::sent};
    tables_.affected.note_place(j.what.id, to);
    const auto& group = j.what.groups[g];
    return {
      {j.what.id, task}, tables_.id, group.demand,  group.duration_of(task - j.groups[g].first),
      no_grant,          true,       estimate_of(j)};
  }

  /// The same, and puts the task into the machine's queue.
  void send(open_job& j, std::uint32_t g, std::uint32_t task, machine_id to, sparrow_outbox& out) {
    out.entries.emplace_back(to, queue_entry{entry_kind::task, launch(j, g, task, to), g,
                                             j.what.tenant, j.what.priority, to});
  }

  /// Owners and machines compare it with windows; where there are none, nobody does.
  duration estimate_of(const open_job& j) const {
    return tables_.machines.windows() != nullptr ? j.what.estimate : duration::zero();
  }

private:
  sparrow_tables& tables_;
};

} // namespace troupe
