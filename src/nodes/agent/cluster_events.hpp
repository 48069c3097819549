#pragma once

#include "model/metrics/results.hpp"
#include "nodes/routing/node_messages.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// Where an owner or a scheduler lives.
struct member_home {
  member_entry who;
  std::string node; ///< its name
};

/// Returns the event, a "policy", that a client has ordered another policy for schedulers.
run_event policy_event(instant at, const policy_order& order);

/// Notes the events of a cluster while a workload runs: nodes that are lost, come back, join or
/// leave, and members that replace others. It is not an actor.
class cluster_events {
public:
  static constexpr std::size_t most_kept = 20'000;

  /// Compares the nodes and members with those of the last call. The first call states how the
  /// cluster began.
  void look(instant at, const std::vector<node_entry>& nodes,
            const std::vector<member_home>& members);

  /// Adds an event.
  void note(run_event event);

  /// All events so far, by time; later ones than `most_kept` are dropped.
  const std::vector<run_event>& events() const { return events_; }

private:
  struct seen_node {
    bool present = false;
    bool draining = false;
    std::uint64_t boot = 0;
    std::uint32_t machines = 0;
  };

  void look_at_nodes(instant at, const std::vector<node_entry>& nodes);
  void look_at_members(instant at, const std::vector<member_home>& members);
  void note(instant at, run_event_kind event, std::string member, std::string detail);
  std::string lost_with(const std::string& node, std::uint32_t machines) const;

  bool begun_ = false;
  std::map<std::string, seen_node> nodes_;
  std::map<std::pair<role, std::uint32_t>, member_home> homes_;
  std::vector<run_event> events_;
};

} // namespace troupe
