#pragma once

#include "model/failure_protocol.hpp"
#include "model/metrics.hpp"

#include <cstdint>
#include <map>

namespace troupe {

/// What nodes that may die have counted, all lives of all nodes together, without an actor around
/// it: sums never go back, and what is there now is of those nodes that answer.
class node_book {
public:
  /// Books what a life of a node has counted since its start.
  void hear(std::uint32_t number, incarnation life, const node_status& status);

  /// Returns the sum. What is there now, as machines and what tenants hold of them, is that of
  /// nodes heard since the last call.
  node_status take();

private:
  struct entry {
    incarnation life = 0;
    node_status latest;
    bool heard = false;
  };

  std::map<std::uint32_t, entry> nodes_;
  node_status past_; ///< of earlier lives
};

} // namespace troupe
