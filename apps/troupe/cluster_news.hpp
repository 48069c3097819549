#pragma once

#include "nodes/node_messages.hpp"

#include <map>
#include <string>
#include <vector>

namespace troupe {

/// Tells what has changed in a cluster from one look at it to the next.
class cluster_news {
public:
  /// Returns a line for each change: nodes that come, are cut off, are emptied or leave; the
  /// beginning of the cluster.
  std::vector<std::string> compare(const cluster_report& now);

private:
  struct seen {
    std::uint64_t boot = 0;
    std::string state;
    bool empty = false;
  };

  std::map<std::string, seen> nodes_;
  bool begun_ = false;
};

} // namespace troupe
