#pragma once

#include "actors/sparrow/sparrow_tables.hpp"
#include "model/explain/task_situation.hpp"

namespace troupe {

/// Returns why a task of a Sparrow scheduler waits; `none` if it does not. Quick.
wait_reason why_waits(const sparrow_tables& of, const task_id& task);

/// Returns where a task is now, and why it waits; of place `unknown` if the scheduler does not have
/// it.
task_situation situation_of(const sparrow_tables& of, const task_id& task);

} // namespace troupe
