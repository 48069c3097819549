// An owner with three machines of two slots, and leases that it grants them.
#pragma once

#include "actors/neighbours.hpp"
#include "actors/owner/machine_leases.hpp"

namespace troupe::test {

struct machine_leases_fixture {
  std::shared_ptr<const catalog> machines = slot_machines(3, 2, 1);
  std::vector<partition_id> partitions{0};
  owner_core core{0, *machines, partitions, 2, conflict_detection::fine};
  machine_leases leases{core, *machines, partitions, {1, 1}, {2, 1500ms, 1500ms, 500ms, 1s, 10s},
                        0s};

  machine_heartbeat beat(machine_id m, instant at, incarnation_id incarnation = 1,
                         incarnation_id owner_incarnation = 2) {
    return {m, incarnation, owner_incarnation, at};
  }

  machine_heartbeat joining(machine_id m, instant at, std::vector<running_claim> running = {},
                            incarnation_id incarnation = 1) {
    auto b = beat(m, at, incarnation);
    b.joins = true;
    b.running = std::move(running);
    return b;
  }

  running_claim claim(std::uint32_t index, scheduler_id of) {
    return {task(index), of, resources::of_slots(1), 5s, 0, 0};
  }

  void join_all(instant at) {
    leases.hear(joining(0, at, {claim(0, 1)}), at);
    leases.hear(joining(1, at), at);
    leases.hear(joining(2, at), at);
  }

  commit_request commit(std::uint64_t seen, scheduler_id of = 1) {
    return {of, 1, 1, seen, {{task(9), 1, 0, resources::of_slots(1), 1s}}};
  }
};

} // namespace troupe::test
