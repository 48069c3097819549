#pragma once

#include "nodes/client/cluster_client.hpp"

#include <chrono>

namespace troupe {

struct watch_options {
  cluster_client_options to;
  bool once = false;                        ///< shows one sample and ends
  bool json = false;                        ///< likewise, as JSON
  std::chrono::milliseconds interval{1000}; ///< between two frames or blocks
};

/// Shows a cluster until the user or a signal ends it: in frames on a terminal, else in blocks of
/// text. Returns the exit code of the program. Throws `std::runtime_error` if the cluster cannot be
/// reached at first, or if no sample comes where one is wanted.
int watch_cluster(const watch_options& options);

} // namespace troupe
