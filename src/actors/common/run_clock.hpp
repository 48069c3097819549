#pragma once

#include "model/base/time.hpp"

#include <caf/actor_clock.hpp>

namespace troupe {

/// When a run began, on the clock of its actor system. Actors count time from there.
struct run_clock {
  caf::actor_clock::time_point origin;

  caf::actor_clock::time_point at(instant t) const {
    return origin + std::chrono::duration_cast<caf::actor_clock::duration_type>(t);
  }

  /// The present instant, for `self` of any kind of actor.
  template <class Self>
  instant now(Self* self) const {
    return self->clock().now() - origin;
  }
};

} // namespace troupe
