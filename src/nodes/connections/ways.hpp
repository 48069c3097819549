#pragma once

#include "nodes/connections/connection_context.hpp"

#include <caf/fwd.hpp>
#include <caf/io/network/default_multiplexer.hpp>
#include <caf/stateful_actor.hpp>

#include <map>
#include <memory>

namespace troupe {

struct ways_state {
  static inline const char* name = "ways";

  std::uint64_t attempts = 0;
  std::map<std::uint64_t, caf::response_promise> waiting; ///< by attempt
};

/// Connects to others: see `node_network::ways`. `basp` is CAF's broker of the connections between
/// actor systems.
caf::behavior ways(caf::stateful_actor<ways_state>* self,
                   std::shared_ptr<connection_context> context, const caf::actor& basp);

/// Returns CAF's network loop.
caf::io::network::default_multiplexer& loop_of(caf::actor_system& system);

} // namespace troupe
