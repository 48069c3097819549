#pragma once

#include "actors/protocol/register_messages.hpp"
#include "model/base/time.hpp"
#include "runtime/time/virtual_coordinator.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace troupe::test {

/// An actor system in virtual time in which a test spawns its actors. Actors that are still alive
/// at the end of the test, in success or in failure, are killed. Objects that actors refer to must
/// be declared before the fixture; handles to actors, after it.
class virtual_time {
public:
  explicit virtual_time(std::uint64_t seed = 1, interleave order = interleave::seeded)
    : virtual_time(virtual_time_settings{.seed = seed, .order = order}) {}

  explicit virtual_time(const virtual_time_settings& settings) : config_(settings) {}

  caf::actor_system& system() { return system_; }

  virtual_coordinator& coordinator() { return coordinator_; }

  virtual_clock& clock() { return coordinator_.clock(); }

  instant now() const { return coordinator_.now(); }

  /// Runs the ready actors at the present instant.
  void settle() { coordinator_.settle(); }

  /// Advances time to `horizon`.
  void run_until(instant horizon) { coordinator_.run_until(horizon); }

  /// Advances time by `d`.
  void advance(duration d) { coordinator_.run_until(now() + d); }

  /// Runs until nothing is pending; does not return while an actor keeps sending itself ticks.
  void run() {
    while (coordinator_.step()) {
    }
  }

  /// From now on adds each handled message to `trace()`, as "<time> <actor>#<number> <message>".
  /// Actors are numbered in the order of their first messages.
  void start_trace() {
    coordinator_.trace([this](const trace_entry& x) {
      auto number = ids_.size();
      for (std::size_t i = 0; i < ids_.size(); ++i)
        if (ids_[i] == x.id)
          number = i;
      if (number == ids_.size())
        ids_.push_back(x.id);
      trace_.push_back(to_string(x.at) + " " + x.name + "#" + std::to_string(number) + " " +
                       (x.message.empty() ? "start" : x.message));
    });
  }

  const std::vector<std::string>& trace() const { return trace_; }

private:
  struct config : caf::actor_system_config {
    explicit config(const virtual_time_settings& settings) {
      register_messages(*this);
      virtual_coordinator::load(*this, settings);
    }
  };

  std::vector<caf::actor_id> ids_;
  std::vector<std::string> trace_;
  config config_;
  caf::actor_system system_{config_};
  virtual_coordinator& coordinator_ = virtual_coordinator::of(system_);
};

} // namespace troupe::test
