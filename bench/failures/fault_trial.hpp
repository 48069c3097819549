#pragma once

#include "failures/fault_row.hpp"
#include "failures/trial_cluster.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace troupe::trials {

using milliseconds = std::chrono::milliseconds;

/// How a row is tested.
struct trial_plan {
  std::filesystem::path troupe;       ///< the program
  std::filesystem::path directory;    ///< for the files of the cluster
  std::filesystem::path config;       ///< the settings
  std::vector<std::string> overrides; ///< of settings, KEY=VALUE
  std::string architecture = "parsync";
  std::uint32_t machines = 0; ///< of all nodes
  std::uint32_t machine_nodes = 4;
  milliseconds fault_at{0};         ///< in the workload's time
  std::optional<milliseconds> for_; ///< length; none: until other nodes have detected it
  std::chrono::seconds patience{180};
};

/// The measurements. Times are counted from the fault; none: it did not happen.
struct trial_figures {
  std::optional<milliseconds>
    detected; ///< a connection is down or has ended, or a member was replaced
  /// All members that lived on the node live on others; or all nodes have joined a new master; or
  /// owners have given up the machines.
  std::optional<milliseconds> replaced;
  std::optional<milliseconds> grants; ///< all owners that lived there grant again
  /// From the end of the fault: all connections that were down are up.
  std::optional<milliseconds> whole;
  std::uint64_t in_flight = 0; ///< tasks that ran when it happened
  std::uint64_t ran_there = 0; ///< of these: on machines that failed
  std::uint64_t slowest = 0;   ///< tasks placed in the slowest second since, while jobs came
  std::uint64_t submitted = 0; ///< tasks, like all of the following
  std::uint64_t finished = 0;
  std::uint64_t not_finished = 0; ///< lost, failed and abandoned ones
  std::uint64_t jobs_submitted = 0;
  std::uint64_t jobs_finished = 0;
  std::int64_t extra = 0;       ///< placements beyond one per task
  std::uint64_t twice = 0;      ///< placements granted twice
  bool checks = false;          ///< all self-checks have passed
  std::optional<int> exit_code; ///< of a node that has left
};

/// Returns the cluster for a row: each role of its architecture has its own nodes.
cluster_plan cluster_for(const fault_row& row, const trial_plan& plan);

/// Starts such a cluster, causes the failure of the row during the work, waits for the results, and
/// ends all processes. Throws `std::runtime_error` if an expected state does not come.
trial_figures try_fault(const fault_row& row, const trial_plan& plan);

} // namespace troupe::trials
