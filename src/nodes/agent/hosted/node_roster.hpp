#pragma once

#include "nodes/execution/machine_history.hpp"
#include "nodes/routing/node_messages.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// The nodes of the cluster, as the master has told them last.
class node_roster {
public:
  void learn(const std::vector<node_entry>& nodes);

  const std::vector<node_entry>& nodes() const { return nodes_; }

  /// Returns null if there is no node with the index.
  const node_entry* find(std::uint32_t index) const;

  /// The indexes of the nodes with machines that are there.
  const std::vector<std::uint32_t>& machine_nodes() const { return machine_nodes_; }

  /// Returns the hosts that are machines and may get tasks now.
  std::vector<machine_description> machines() const;

  /// Returns all hosts that are machines and have not left.
  std::vector<named_machine> hosts() const;

private:
  std::vector<node_entry> nodes_;
  std::vector<std::uint32_t> machine_nodes_;
};

} // namespace troupe
