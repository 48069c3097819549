#pragma once

#include "runtime/faults/first_violation.hpp"
#include "runtime/faults/scheduler_books.hpp"

#include <caf/fwd.hpp>

/// Checks of the books of one member. `at_end`: all tasks are over.
namespace troupe {

/// Returns the owner or scheduler that an actor is, or null if it is none.
const simulated_cluster::process* owner_or_scheduler(const simulated_cluster& cluster,
                                                     const caf::monitorable_actor& actor);

/// Every machine of an owner is within its capacity, and free and used resources add up.
void check_owner(const simulated_cluster::process& who, bool at_end, first_violation& to);

/// Every task of a scheduler is in exactly one place, and was granted once.
void check_scheduler(const simulated_cluster::process& who, const scheduler_books& books,
                     bool at_end, first_violation& to);

/// In the end the queue of a machine is empty.
void check_queue_at_end(const simulated_cluster::process& who, first_violation& to);

} // namespace troupe
