#pragma once

#include "policies/policy.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// The test kit of placement policies: clusters to try one on, and a trial that checks all its
/// picks. Needs no actors.
namespace troupe {

/// Machines that are all alike, with `slots` slots and score 1.
catalog slot_machines(std::uint32_t machines, std::int32_t slots, std::uint32_t partitions = 1);

/// Machines with the given capacities, numbered in this order, in one partition; a `unit` is what
/// sampling counts as one place. Score 1.
catalog machines_with(const std::vector<resources>& capacities, const resources& unit);

/// An amount of milli-CPU and MiB.
resources cpu_and_memory(std::int32_t milli_cpu, std::int32_t mib);

/// `n` tasks of one job that ask for the same.
std::vector<task_request> equal_tasks(std::uint32_t n, const resources& demand, job_id job = 1);

/// What a policy did with a batch of tasks.
struct trial {
  std::vector<std::optional<machine_id>> picks; ///< one for each task; nothing: it found none
  std::vector<std::string> problems;            ///< one line for each pick that cannot be

  /// How many tasks went to a machine.
  std::size_t count(machine_id machine) const;
  bool clean() const { return problems.empty(); }
};

/// Asks `policy` for a machine for each task in turn, as a scheduler does: what is picked is
/// checked and charged to the view. A pick that cannot be is noted and not charged. What the policy
/// throws is passed on.
trial run_trial(placement_policy& policy, view& seen, std::span<const task_request> tasks,
                std::uint64_t seed = 1, instant now = instant{0});

} // namespace troupe
