#pragma once

#include "actors/handles.hpp"
#include "actors/run_clock.hpp"
#include "model/job_source.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <vector>

namespace troupe {

struct workload_config {
  std::uint32_t number = 0; ///< of the workload, which makes its job ids unique
  std::shared_ptr<job_source> source;
  duration tick = std::chrono::milliseconds{1}; ///< jobs due within one are submitted together
  run_clock clock;
};

struct workload_state {
  static inline const char* name = "workload";

  workload_state() = default;

  workload_config config;
  std::vector<scheduler_actor> schedulers;
  std::size_t turn = 0; ///< the scheduler that gets the next job
  std::optional<job> next;
  workload_status status;
};

/// A workload: submits its jobs when they are due, to the schedulers of its group in turn.
workload_actor::behavior_type workload(workload_actor::stateful_pointer<workload_state> self,
                                       workload_config config);

} // namespace troupe
