#pragma once

#include "actors/common/run_clock.hpp"
#include "runtime/network/link.hpp"
#include "settings/schema/settings.hpp"

#include <memory>
#include <string>

namespace troupe {

/// Returns the name of an end of the network: "scheduler.3".
std::string numbered(const char* role, std::size_t number);

/// Creates handles that lead over the simulated network, or returns plain ones if there is none.
class linker {
public:
  /// In virtual time all messages go through the clock, even those without latency, so that the
  /// seed breaks ties.
  linker(caf::actor_system& system, const run_settings& settings, const run_clock& clock,
         bool virtual_time);

  template <class Handle>
  caf::strong_actor_ptr operator()(const Handle& target, const std::string& from,
                                   const std::string& to, message_joiner join = nullptr) const {
    return caf::actor_cast<caf::strong_actor_ptr>(
      network_ ? over_network(system_, target, network_, from, to, join) : target);
  }

private:
  caf::actor_system& system_;
  std::shared_ptr<network> network_;
};

} // namespace troupe
