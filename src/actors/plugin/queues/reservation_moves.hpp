#pragma once

#include "actors/plugin/queues/queue_plugin_tables.hpp"
#include "actors/sparrow/sparrow_outbox.hpp"

namespace troupe {

/// Passes the requests of machines for tasks on to a plugin, and orders reservations that machines
/// take over from others. For the plugin such a reservation stays where it was, until its machine
/// asks for a task.
class reservation_moves {
public:
  explicit reservation_moves(queue_plugin_tables& tables) : tables_(tables) {}

  /// A machine asks for a task. The plugin is not asked if the reservation is of no use.
  void asked(const get_task_request& request, sparrow_outbox& out);

  /// A machine has given a reservation up for another one.
  void move(const moved_reservation& what, machine_id from, sparrow_outbox& out);

  /// A machine drops reservations that it has no room for any more. The plugin moves its own: those
  /// that the machine has taken over go back to where they are for the plugin.
  void give_back(machine_id machine, const resources& capacity, sparrow_outbox& out);

  /// The same for all of them: the machine is gone.
  void give_back_all(machine_id machine, sparrow_outbox& out);

private:
  bool is_over(const reserved_group& what) const { return !tables_.names.seen(what); }
  void place(const stolen_reservation& what, machine_id on, sparrow_outbox& out);

  queue_plugin_tables& tables_;
};

} // namespace troupe
