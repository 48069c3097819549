#pragma once

#include "actors/protocol/handles.hpp"

#include <caf/fwd.hpp>

#include <memory>
#include <vector>

namespace troupe {

/// The machines as a scheduler from a plugin reaches their queues if failures are watched: an
/// actor for each, which passes messages for the queue on, with the machine's number, in the thread
/// of the sender. They arrive in the order in which the plugin has sent them, also to different
/// machines.
class queue_fronts {
public:
  queue_fronts() = default;
  queue_fronts(caf::actor_system& system, std::size_t machines);

  /// The actors, by machine.
  const std::shared_ptr<const std::vector<queueing_machine_actor>>& handles() const {
    return handles_;
  }

  /// Has messages passed on to `member`. Until then they are dropped.
  void lead_to(caf::strong_actor_ptr member) const;

  /// Has all further messages dropped.
  void close() const { lead_to(nullptr); }

  struct target;

private:
  std::shared_ptr<target> target_;
  std::shared_ptr<const std::vector<queueing_machine_actor>> handles_;
};

} // namespace troupe
