#pragma once

#include "actors/plugin/queues/queue_task_runs.hpp"
#include "actors/plugin/queues/reservation_moves.hpp"

#include <cstdint>

namespace troupe {

/// Books that machines leave, return, are drained, or have more or less than before, and what
/// follows for a queue plugin's tasks there. Unknown machines are ignored.
class queue_machine_changes {
public:
  queue_machine_changes(queue_plugin_tables& tables, entries_kept_apart& apart,
                        machine_drains& drains, queue_task_runs& runs, reservation_moves& moves)
    : tables_(tables), apart_(apart), drains_(drains), runs_(runs), moves_(moves) {}

  /// As in `probing_core`.
  void restore(machine_id machine, sparrow_outbox& out, const capacity_notice* notice);
  void note_capacity(machine_id machine, const capacity_notice* notice, sparrow_outbox& out);
  void set_capacity(const capacity_notice& what, sparrow_outbox& out);
  void retire(machine_id machine);
  void remove(machine_id machine, instant now, sparrow_outbox& out);

  /// As in `queue_plugin_core`.
  void catch_up();

  /// The plugin has heard the notices of a machine up to a number. The tasks that it has sent
  /// there, and that have not started and do not fit, are queued with it again.
  void hear(machine_id machine, std::uint32_t number, sparrow_outbox& out);

private:
  void hear(machine_id machine, const machine_notices::told_notice& notice, sparrow_outbox& out);
  void take_back(const task_id& task, machine_id machine);

  queue_plugin_tables& tables_;
  entries_kept_apart& apart_;
  machine_drains& drains_;
  queue_task_runs& runs_;
  reservation_moves& moves_;
  std::uint64_t growth_ = 0; ///< the version of the machines that the plugin was told of
};

} // namespace troupe
