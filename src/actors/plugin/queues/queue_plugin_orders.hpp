#pragma once

#include "actors/plugin/queues/entries_kept_apart.hpp"

#include <cstdint>

namespace troupe {

/// Takes what a plugin sends to machines, by the numbers of the cluster, and orders it there. The
/// messages must have no fault. A machine that is to be drained gets no entries and no tasks.
class queue_plugin_orders {
public:
  queue_plugin_orders(queue_plugin_tables& tables, entries_kept_apart& apart)
    : tables_(tables), apart_(apart) {}

  void send(machine_id machine, const queue_entry& entry, instant now, sparrow_outbox& out);
  void send(machine_id machine, const task_assignment& answer, instant now, sparrow_outbox& out);
  void send(machine_id machine, const cancellation& what, sparrow_outbox& out);
  void send(machine_id machine, const queue_probe& probe, sparrow_outbox& out);

  /// Counts the messages.
  std::uint64_t count() const { return count_; }

private:
  void note_sent(const task_id& task, machine_id machine, instant now);

  queue_plugin_tables& tables_;
  entries_kept_apart& apart_;
  std::uint64_t count_ = 0;
};

} // namespace troupe
