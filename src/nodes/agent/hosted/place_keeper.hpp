#pragma once

#include "nodes/agent/hosted/node_context.hpp"
#include "nodes/routing/node_messages.hpp"

#include <string>

namespace troupe {

/// Writes down for a restart since when there is a cluster that grows and which place the machine
/// of this node has; on the node with the master also who has the other places, which policies
/// clients have ordered, and which nodes there are. `places_file.hpp` describes the file.
class place_keeper {
public:
  explicit place_keeper(const node_context& node) : node_(node) {}

  /// Writes the file if anything has changed. `own`: the place of this node's machine; count 0: it
  /// has none.
  void keep(const node_list& nodes, const machine_numbers& own);

private:
  const node_context& node_;
  std::string kept_; ///< the latest that was written down
};

} // namespace troupe
