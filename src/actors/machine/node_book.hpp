#pragma once

#include "model/metrics/metrics.hpp"
#include "model/protocol/failure_protocol.hpp"

#include <cstdint>
#include <map>

namespace troupe {

/// The counts of nodes that may die, over all incarnations of all nodes, without an actor around
/// it. Sums never decrease; figures of the present are those of the nodes that answer.
class node_book {
public:
  /// Books the counts of an incarnation of a node since its start.
  void hear(std::uint32_t number, incarnation_id incarnation, const node_status& status);

  /// Returns the sum. Figures of the present, such as machines and the shares of tenants, are those
  /// of the nodes that have answered since the last call.
  node_status take();

private:
  struct entry {
    incarnation_id incarnation = 0;
    node_status latest;
    bool heard = false;
  };

  std::map<std::uint32_t, entry> nodes_;
  node_status past_; ///< of earlier incarnations
};

} // namespace troupe
