#pragma once

#include "actors/common/run_clock.hpp"
#include "actors/protocol/handles.hpp"
#include "model/cluster/catalog.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <vector>

namespace troupe {

/// A change of the capacity of a machine, with its time.
struct timed_capacity {
  instant at{0};
  machine_capacity what;
};

struct churn_config {
  std::vector<timed_capacity> changes; ///< in the order of time
  std::vector<owner_id> owner_of;      ///< by partition; empty if there are no owners
  std::shared_ptr<const catalog> machines;
  run_clock clock;
};

struct churn_state {
  static inline const char* name = "churn";

  churn_state() = default;

  churn_config config;
  std::vector<owner_actor> owners;
  std::vector<queueing_machine_actor> machines;
  std::size_t next = 0;
};

/// Churn: machines that join, leave and change as a trace says, where failures are not watched. It
/// tells their owners when it is time, or the machines themselves where there are no owners.
churn_actor::behavior_type churn(churn_actor::stateful_pointer<churn_state> self,
                                 churn_config config);

} // namespace troupe
