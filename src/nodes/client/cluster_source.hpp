#pragma once

#include "nodes/routing/node_messages.hpp"

namespace troupe {

/// Answers questions about a cluster. All functions throw `std::runtime_error` with a message for
/// the user, and wait for some seconds at most.
class cluster_source {
public:
  virtual ~cluster_source() = default;

  virtual cluster_report status() = 0;

  /// What the recorder of the cluster has measured. It measures details while somebody asks for it.
  virtual live_report live(const live_request& asked) = 0;

  /// What happened to a task so far, from the records on the node with the workload.
  virtual story_reply story(const story_request& asked) = 0;

  /// Whether the node with the workload is reached while the one with the master is not.
  virtual bool outlives_master() const { return false; }
};

} // namespace troupe
