#pragma once

#include <string>
#include <vector>

namespace troupe::trials {

/// A failure of a node or of the network.
enum class fault_action {
  kill,    ///< SIGKILL, for good
  outage,  ///< SIGKILL, and a restart after a time
  restart, ///< SIGKILL, and an immediate restart with the same name
  freeze,  ///< SIGSTOP, and SIGCONT after a time
  leave,   ///< SIGTERM
  cut      ///< a cut of the network, which ends after a time; requires `host_network`
};

/// A row of the table of failures, on a cluster in which every role has its own nodes: "m" has the
/// master, "w" the workload, "o1" and "o2" are owners, "s1" and "s2" schedulers, "h1" and further
/// ones have the machines.
struct fault_row {
  std::string name; ///< for the table
  fault_action action = fault_action::kill;
  std::string node;
  std::string other{}; ///< with cut: the other end; empty: all other nodes
};

/// All rows. Those that require a network of hosts come last.
const std::vector<fault_row>& fault_rows();

/// Returns whether clusters of an architecture have owners.
bool has_owners(const std::string& architecture);

/// Returns whether a cluster of an architecture has the nodes that a row names.
bool applies_to(const fault_row& row, const std::string& architecture);

/// Returns whether an action lasts for a time before it is undone.
constexpr bool has_duration(fault_action action) {
  return action == fault_action::outage || action == fault_action::freeze ||
         action == fault_action::cut;
}

/// Returns whether a process with machines dies.
bool machines_die(const fault_row& row);

/// Returns the nodes whose machines fail.
std::vector<std::string> hit_machines(const fault_row& row);

} // namespace troupe::trials
