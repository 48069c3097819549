#pragma once

#include "actors/run_clock.hpp"
#include "runtime/link.hpp"
#include "settings/settings.hpp"

#include <memory>
#include <string>

namespace troupe {

/// Names an end of the network: "scheduler.3".
std::string numbered(const char* role, std::size_t number);

/// Hands out handles that lead over the simulated network, or plain ones where there is none.
class linker {
public:
  /// In virtual time everything goes through the clock, even what takes no time, so that the seed
  /// breaks ties.
  linker(caf::actor_system& system, const run_settings& settings, const run_clock& clock,
         bool virtual_time);

  template <class Handle>
  caf::strong_actor_ptr operator()(const Handle& target, const std::string& from,
                                   const std::string& to) const {
    return caf::actor_cast<caf::strong_actor_ptr>(
      network_ ? over_network(system_, target, network_, from, to) : target);
  }

private:
  caf::actor_system& system_;
  std::shared_ptr<network> network_;
};

} // namespace troupe
