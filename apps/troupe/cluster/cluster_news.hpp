#pragma once

#include "nodes/client/cluster_text.hpp"

#include <map>
#include <string>
#include <vector>

namespace troupe {

/// Reports the changes in a cluster from one observation to the next.
class cluster_news {
public:
  /// Returns a line for each change: nodes that join, are cut off, are drained or leave; the
  /// beginning of the cluster.
  std::vector<std::string> compare(const cluster_report& now);

private:
  struct seen {
    std::uint64_t boot = 0;
    node_presence state = node_presence::here;
    bool empty = false;
  };

  std::map<std::string, seen> nodes_;
  bool begun_ = false;
};

} // namespace troupe
