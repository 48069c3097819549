#pragma once

#include "actors/neighbours.hpp"

#include <cstdint>

/// Members that answer the recorder with fixed counts.
namespace troupe::test {

inline scheduler_actor::behavior_type counting_scheduler(scheduler_actor::pointer,
                                                         std::uint32_t group, std::uint64_t tasks,
                                                         const bool* idle) {
  return {[](const peers&) {}, [](const submission&) {},
          [group, tasks, idle](sample_atom) {
            scheduler_sample sample;
            sample.tasks.submitted = tasks;
            sample.tasks.placed = tasks;
            sample.tasks.queued = tasks * 10;
            sample.conflicts = 2 * tasks;
            sample.delay.add(static_cast<double>(tasks));
            return scheduler_status{0, *idle, {{group, sample}}};
          }};
}

struct owner_log {
  inbox<int> samples; // 0, or 1 for a flush
};

inline owner_actor::behavior_type counting_owner(owner_actor::pointer self, double utilization,
                                                 double weight, owner_log* log) {
  const auto answer = [=](int flush) {
    log->samples.emplace_back(virtual_clock::to_instant(self->clock().now()), flush);
    owner_status status;
    status.sample.machines = 5;
    status.sample.accepted = 7;
    status.sample.seconds = 1;
    status.sample.used_seconds = utilization;
    status.sample.capacity_weight = weight;
    status.sample.resources.front() = {weight, utilization * weight, 0};
    return status;
  };
  return {[](const peers&) {},
          [](const commit_request&) {},
          [](const sync_round&) {},
          [](const task_ends&) {},
          [](const report_seen&) {},
          [](const capacity_seen&) {},
          [](const machine_capacity&) {},
          [](report_atom) {},
          [](resend_atom) {},
          [](wake_atom) {},
          [=](sample_atom) { return answer(0); },
          [=](flush_atom) { return answer(1); },
          [](heartbeat_atom) {},
          [](const heartbeat_reply&) {},
          [](const membership&) {},
          [](const machine_heartbeat&) {},
          [](const process_heartbeat&) {},
          [](const capacity_call&) {},
          [=](const sample_request& asked) {
            auto status = answer(asked.last ? 1 : 0);
            if (!asked.details)
              return status;
            status.owner = weight > 1 ? 0 : 1;
            status.partitions.resize(1);
            status.partitions[0].partition = status.owner;
            status.partitions[0].granted = 7;
            return status;
          }};
}

using detailed_scheduler_actor =
  scheduler_actor::extend<caf::replies_to<sample_request>::with<scheduler_status>>;

/// Has a policy and a view to tell of, to those who ask for it.
inline detailed_scheduler_actor::behavior_type detailed_scheduler(detailed_scheduler_actor::pointer,
                                                                  int* plain_questions) {
  return {[](const peers&) {}, [](const submission&) {},
          [plain_questions](sample_atom) {
            ++*plain_questions;
            return scheduler_status{};
          },
          [](const sample_request& asked) {
            scheduler_sample sample;
            sample.tasks.placed = 4;
            scheduler_status status{1, false, {{0, sample}, {1, sample}}};
            if (asked.details)
              status.details = {"adaptive", {250, 750}};
            return status;
          }};
}

inline node_actor::behavior_type counting_node(node_actor::pointer, const node_status* status) {
  return {[](const peers&) {},
          [](wake_atom) {},
          [](due_atom) {},
          [](report_atom) {},
          [](const capacity_update&) {},
          [status](sample_atom) { return *status; }};
}

inline workload_actor::behavior_type counting_workload(workload_actor::pointer,
                                                       const workload_status* status) {
  return {[](const peers&) {},
          [](due_atom) {},
          [status](sample_atom) { return *status; },
          [status](flush_atom) { return *status; },
          [](heartbeat_atom) {},
          [](const heartbeat_reply&) {},
          [](const membership&) {},
          [](const store_report&) {}};
}

} // namespace troupe::test
