#pragma once

#include "model/view/machine_filter.hpp"

namespace troupe {

/// The requirements for a machine that a task needs.
struct task_request {
  task_id task;
  resources demand;
  machine_filter filter{};      ///< which machines qualify, apart from having room
  std::uint32_t task_class = 0; ///< selects the catalog's scores
};

} // namespace troupe
