#pragma once

#include "actors/scheduler/scheduler_parts.hpp"
#include "model/explain/task_situation.hpp"

#include <optional>

namespace troupe {

/// Why a task waits, and how many are ahead of it.
struct wait_note {
  wait_reason why = wait_reason::none;
  std::uint64_t ahead = 0;
};

/// Returns why a task that this scheduler has waits; `none` if it does not wait. Quick.
wait_note why_waits(const scheduler_parts& of, const task_id& task);

/// Returns where a task is at this moment, with a survey of all machines by the view; of place
/// `unknown` if the scheduler does not have its job.
task_situation situation_of(const scheduler_parts& of, const task_id& task, instant now,
                            std::optional<machine_id> asked_about = {});

} // namespace troupe
