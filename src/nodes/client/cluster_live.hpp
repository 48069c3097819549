#pragma once

#include "model/live/live_state.hpp"
#include "nodes/client/cluster_source.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Returns the nodes of a cluster, as they are shown to people.
std::vector<live_node> live_nodes_of(const cluster_report& all);

/// Takes over the nodes, and notes in `events` which have come, gone, or are drained since the last
/// time.
void note_nodes(live_state& state, std::vector<live_node> nodes, std::vector<live_event>& events);

/// A client's copy of the live state of a cluster, with its nodes. It connects, and connects again
/// after failures; the state stays as it was meanwhile.
class cluster_live {
public:
  using connect_function = std::function<std::unique_ptr<cluster_source>()>;

  /// `connect` returns a connection, or throws `std::runtime_error`.
  explicit cluster_live(connect_function connect);

  /// Asks for news. Returns the reason if that fails, or an empty text. Takes some seconds at most.
  std::string poll();

  /// Asks what happened to a task. Throws as `cluster_source`.
  story_reply story(const story_request& asked);

  /// The known state, with the events of nodes among those of the run.
  live_state shown() const;

private:
  void take_report();

  connect_function connect_;
  std::unique_ptr<cluster_source> connection_;
  live_state state_;
  std::vector<live_event> node_events_;
};

} // namespace troupe
