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

/// How a row is tried.
struct trial_plan {
  std::filesystem::path troupe;       ///< the program
  std::filesystem::path directory;    ///< for the files of the cluster
  std::filesystem::path config;       ///< the settings
  std::vector<std::string> overrides; ///< of settings, KEY=VALUE
  std::uint32_t machines = 0;         ///< of all nodes
  std::uint32_t machine_nodes = 4;
  milliseconds fault_at{0};         ///< by the workload's time
  std::optional<milliseconds> for_; ///< how long; nothing: until others have noticed
  std::chrono::seconds patience{180};
};

/// What came of it. Times are counted from the fault; nothing: it did not happen.
struct trial_figures {
  std::optional<milliseconds> detected; ///< a line is down or ended, or a member replaced
  /// All members that lived there live elsewhere; a new master has been joined by all; owners have
  /// given up the machines.
  std::optional<milliseconds> replaced;
  std::optional<milliseconds> grants; ///< all owners that lived there grant again
  /// From the end of the fault: all lines that were down are up.
  std::optional<milliseconds> whole;
  std::uint64_t in_flight = 0; ///< tasks that ran when it happened
  std::uint64_t ran_there = 0; ///< of these: on machines that could not go on
  std::uint64_t slowest = 0;   ///< tasks placed in the slowest second since, while jobs came
  std::uint64_t submitted = 0; ///< tasks, as are all of the following
  std::uint64_t finished = 0;
  std::uint64_t not_finished = 0; ///< lost, failed and abandoned ones
  std::uint64_t jobs_submitted = 0;
  std::uint64_t jobs_finished = 0;
  std::int64_t extra = 0;       ///< placements beyond one for each
  std::uint64_t twice = 0;      ///< placements granted twice
  bool checks = false;          ///< all self-checks have passed
  std::optional<int> exit_code; ///< of a node that has left
};

/// The cluster on which a row is tried: each role on nodes of its own.
cluster_plan cluster_for(const fault_row& row, const trial_plan& plan);

/// Starts such a cluster, does what the row says amid the work, waits for the results, and ends
/// all. Throws `std::runtime_error` if a state does not come.
trial_figures try_fault(const fault_row& row, const trial_plan& plan);

} // namespace troupe::trials
