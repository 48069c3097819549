#pragma once

#include "actors/neighbours.hpp"

/// Neighbours that speak Sparrow's protocol: each keeps what it is sent, and when.
namespace troupe::test {

struct sparrow_inbox {
  inbox<get_task_request> requests;
  inbox<probe_answer> answers;
  inbox<task_news> news;
  inbox<capacity_notice> notices;
};

inline queue_client_actor::behavior_type fake_sparrow(queue_client_actor::pointer self,
                                                      sparrow_inbox* got) {
  return {[](const peers&) {},
          [](const submission&) {},
          [](sample_atom) { return scheduler_status{}; },
          keep(got->requests, self),
          keep(got->answers, self),
          keep(got->news, self),
          keep(got->notices, self)};
}

struct machine_inbox {
  inbox<queue_entry> entries;
  inbox<task_assignment> assignments;
  inbox<cancellation> cancellations;
  inbox<queue_probe> probes;
  inbox<stolen_entries> stolen;
  inbox<task_id> ended;
  inbox<machine_id> thieves;
  inbox<capacity_heard> heard;
};

inline queueing_machine_actor::behavior_type fake_machine(queueing_machine_actor::pointer self,
                                                          machine_inbox* got) {
  const auto now = [self] { return virtual_clock::to_instant(self->clock().now()); };
  return {[](const machine_order&) {},
          [got, now](ended_atom, run_number, const task_end& end) {
            got->ended.emplace_back(now(), end.task);
          },
          keep(got->entries, self),
          keep(got->assignments, self),
          keep(got->cancellations, self),
          keep(got->probes, self),
          [got, now](steal_atom, machine_id thief) { got->thieves.emplace_back(now(), thief); },
          keep(got->stolen, self),
          [](const machine_capacity&) {},
          keep(got->heard, self),
          [](const queue_orders&) {},
          [](const process_lease&) {},
          [](const lease_reply&) {},
          [](heartbeat_atom) {},
          [](wake_atom) {},
          [](leave_atom) {}};
}

} // namespace troupe::test
