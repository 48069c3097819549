#pragma once

#include "nodes/routing/node_messages.hpp"

#include <string>
#include <variant>

namespace troupe {

/// The master's registry of nodes: the nodes that have joined, the numbers of their machines, and
/// which nodes are connected. It is not an actor.
class node_registry {
public:
  /// `machines` is the number of machines that the cluster is to have. There are no owners if
  /// schedulers probe the machines.
  explicit node_registry(std::uint32_t machines, bool has_owners = true)
    : machines_(machines), has_owners_(has_owners) {}

  /// Accepts a node, or accepts it again after an absence. A returning node keeps its number and
  /// those of its machines; its statements about a cluster whose master was restarted are believed.
  /// A node that is one machine, and joins after the cluster has begun, must equal the machine that
  /// it replaces. Returns its entry, or why it is refused.
  std::variant<const node_entry*, node_refusal> join(const node_identity& who);

  /// Records that the connection to that incarnation of a node is cut.
  void lost(const std::string& name, std::uint64_t boot);

  /// Removes a node that has left for good: its numbers are free again.
  void left(const std::string& name);

  /// Marks a node for draining. Returns why it cannot be drained, or nothing. The nodes of the
  /// master and of the workload cannot be drained, since these do not move; but the node of the
  /// workload may request it itself when it ends.
  std::string drain(const std::string& name, bool by_itself = false);

  /// Sets the conditions that are missing for the cluster to begin. Returns whether they have
  /// changed.
  bool note_missing(const std::string& what);

  const node_entry* find(const std::string& name) const;
  const node_entry* find(std::uint32_t index) const;

  /// The number of machines that are missing.
  std::uint32_t machines_missing() const;

  /// The conditions that are missing for a working cluster: "3,000 of 10,000 machines are missing".
  /// Empty if there are none.
  std::string missing() const;

  const node_list& list() const { return list_; }

  /// Sets the beginning of the cluster's time, past or future; from now on its machines are fixed.
  void begin(std::int64_t origin);

private:
  node_entry* find_entry(const std::string& name);
  bool is_free(const machine_numbers& wanted, const node_entry* but) const;
  const described_machine* description_of(machine_id number) const;
  std::string misfit(machine_id number, const node_identity& who) const;
  std::string number_machines(node_entry& entry, const machine_numbers& known);
  void changed() { ++list_.version; }

  std::uint32_t machines_;
  bool has_owners_;
  std::uint32_t last_index_ = 0;
  node_list list_;
};

} // namespace troupe
