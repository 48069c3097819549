#pragma once

#include "actors/emulated_executor.hpp"
#include "actors/run_clock.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <set>
#include <vector>

namespace troupe {

struct node_config {
  std::shared_ptr<emulated_executor> runs;
  run_clock clock;
};

struct node_state {
  static inline const char* name = "node";

  node_state() = default;

  node_config config;
  std::vector<owner_actor> owners;
  std::set<instant> timers; ///< that are set
  std::vector<task_end_queue::entry> due;
  std::vector<std::vector<task_end>> by_owner;
};

/// A node of emulated machines: reports the ends of their tasks to the owners, in batches.
node_actor::behavior_type node(node_actor::stateful_pointer<node_state> self, node_config config);

} // namespace troupe
