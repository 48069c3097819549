#pragma once

#include "model/protocol/failure_protocol.hpp"
#include "model/protocol/sparrow_protocol.hpp"

#include <utility>
#include <vector>

namespace troupe {

/// The messages of a Sparrow scheduler for machines.
struct sparrow_outbox {
  /// Before all else: what follows takes the machine's capacity into account.
  std::vector<std::pair<machine_id, capacity_heard>> heard{};
  std::vector<std::pair<machine_id, task_assignment>> assignments{};
  std::vector<std::pair<machine_id, queue_entry>> entries{};
  std::vector<std::pair<machine_id, queue_probe>> probes{};
  std::vector<std::pair<machine_id, cancellation>> cancellations{};
  /// Tasks that are over, for their job stores; filled only where failures are watched.
  std::vector<std::pair<task_id, task_fate>> over{};

  /// Calls `send_all` with the orders of each kind, in the order in which they are to be sent.
  template <class SendAll>
  void each_kind(SendAll send_all) const {
    send_all(heard);
    send_all(assignments);
    send_all(entries);
    send_all(probes);
    send_all(cancellations);
  }

  void clear() {
    heard.clear();
    assignments.clear();
    entries.clear();
    probes.clear();
    cancellations.clear();
    over.clear();
  }
};

} // namespace troupe
