#pragma once

#include "model/base/time.hpp"
#include "model/protocol/failure_protocol.hpp"

#include <cstdint>
#include <vector>

/// The heartbeats of processes with machines, as plain values. A process sends one for all its
/// machines to each owner and each probing scheduler that they obey, and gets one answer. Both
/// carry nothing but signs of life: they may be lost, and overtake all other messages.
namespace troupe {

/// The heartbeat of a process: its machines with the numbers from `first` on are alive.
struct process_heartbeat {
  machine_id first = 0;
  std::uint32_t count = 0;
  incarnation_id incarnation = 0; ///< in which the process has started them
  role to = role::owner;          ///< an owner, or a scheduler
  std::uint32_t number = 0;       ///< of the owner or the scheduler
  incarnation_id obeyed = 0;      ///< its incarnation that the machines obey
  instant sent{0};                ///< by the clock of the machines
};

/// Machines with consecutive numbers.
struct machine_run {
  machine_id first = 0;
  std::uint32_t count = 0;
};

/// The answer of an owner or a scheduler: extends the leases of the machines that are in session
/// with it.
struct process_lease {
  role from = role::owner;
  std::uint32_t number = 0;          ///< of the owner or the scheduler
  incarnation_id answers_as = 0;     ///< its incarnation
  machine_id first = 0;              ///< as in the heartbeat
  incarnation_id incarnation = 0;    ///< as in the heartbeat
  instant answers{0};                ///< when the heartbeat was sent
  std::vector<machine_run> except{}; ///< machines that are not in session, rising

  /// Returns whether the lease of a machine with a number from `first` on is extended.
  bool renews(machine_id machine) const {
    for (const auto& run : except)
      if (machine >= run.first && machine - run.first < run.count)
        return false;
    return true;
  }
};

} // namespace troupe
