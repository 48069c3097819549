#pragma once

#include "actors/owner/owner.hpp"

/// What the actor of an owner does, by parts of it: on its own (owner.cpp), and among others that
/// may fail (owner_failover.cpp).
namespace troupe {

using owner_pointer = owner_actor::stateful_pointer<owner_state>;

instant now(owner_pointer self);

/// Sees to it that a report goes out soon if there is anything to tell.
void announce(owner_pointer self);

/// Sets the timer after which reports that are overdue are sent again.
void arm_resend(owner_pointer self);

/// The order to kill a task.
machine_order kill_order(const task_id& task);

/// Gives a machine an order.
void order(owner_pointer self, machine_id machine, machine_order what);

/// Tells the allocator at once which resources have become free.
void tell_allocator(owner_pointer self);

// -- if failures are watched ------

/// Begins, as one incarnation of the owner.
void watch_failures(owner_pointer self);

/// Quits if another incarnation has replaced it.
bool quit_if_deposed(owner_pointer self);

/// Tells schedulers, machines and the allocator the changes of the leases.
void follow_up(owner_pointer self);

/// shows its life, and looks for silent machines; again after each heartbeat.
void send_heartbeat(owner_pointer self);

/// Hears a machine's sign of life.
void hear(owner_pointer self, const machine_heartbeat& heard);

/// Hears a sign of life for all machines of a process.
void hear(owner_pointer self, const process_heartbeat& heard);

} // namespace troupe
