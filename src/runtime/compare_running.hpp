#pragma once

#include "model/running_books.hpp"
#include "runtime/stage.hpp"

namespace troupe {

/// Compares what the schedulers that live believe to run with what machines run, task by task, at
/// one instant of virtual time.
running_books compare_running(const stage& on, const run_settings& settings);

} // namespace troupe
