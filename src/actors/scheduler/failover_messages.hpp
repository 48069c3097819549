#pragma once

#include "actors/common/member_session.hpp"
#include "actors/protocol/handles.hpp"
#include "actors/scheduler/failover_books.hpp"

/// Messages of schedulers if failures are watched.
namespace troupe {

/// Sends the reports to job stores that are due.
void tell_stores(failover_books& books, const failover_rules& with, instant now);

/// Tells an owner up to which of its reports all ends of tasks are known to their job stores.
void tell_safe(const failover_books& books, owner_id number, const owner_actor& owner);

/// Notes that another scheduler has taken over. The actor must quit.
void retire_scheduler(const member_entry& as, const failover_rules& with);

} // namespace troupe
