#pragma once

#include "model/machine_filter.hpp"

namespace troupe {

/// What a machine is sought for.
struct task_request {
  task_id task;
  resources demand;
  machine_filter filter{};      ///< what the machine must pass beside having room
  std::uint32_t task_class = 0; ///< which of the catalog's scores counts
};

} // namespace troupe
