#pragma once

#include "policies/policy.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// The test kit for placement policies: clusters for trials, and a trial that checks all picks.
/// Needs no actors.
namespace troupe {

/// Equal machines with `slots` slots and score 1.
catalog slot_machines(std::uint32_t machines, std::int32_t slots, std::uint32_t partitions = 1);

/// Machines with the given capacities and score 1, numbered in this order, in one partition.
/// Sampling counts places of one `unit`.
catalog machines_with(const std::vector<resources>& capacities, const resources& unit);

/// An amount of milli-CPU and MiB.
resources cpu_and_memory(std::int32_t milli_cpu, std::int32_t mib);

/// `n` tasks of one job with equal demands.
std::vector<task_request> equal_tasks(std::uint32_t n, const resources& demand, job_id job = 1);

/// The picks of a policy for a batch of tasks.
struct trial {
  std::vector<std::optional<machine_id>> picks; ///< one for each task; nothing: it found no machine
  std::vector<std::string> problems;            ///< one line for each invalid pick

  /// The number of tasks placed on a machine.
  std::size_t count(machine_id machine) const;
  bool clean() const { return problems.empty(); }
};

/// Asks `policy` for a machine for each task in turn, as a scheduler does. Checks each pick and
/// charges it to the view. Notes an invalid pick and does not charge it. Passes on exceptions of
/// the policy.
trial run_trial(placement_policy& policy, view& seen, std::span<const task_request> tasks,
                std::uint64_t seed = 1, instant now = instant{0});

} // namespace troupe
