#pragma once

#include "actors/owner.hpp"

/// What the actor of an owner does, by parts of it: on its own (owner.cpp), and among others that
/// may fail (owner_survival.cpp).
namespace troupe {

using owner_pointer = guarded_owner_actor::stateful_pointer<owner_state>;

instant now(owner_pointer self);

/// Sees to it that a report goes out soon if there is anything to tell.
void announce(owner_pointer self);

/// Sees to it that what nobody has seen is sent again.
void arm_resend(owner_pointer self);

/// Gives a machine an order.
void order(owner_pointer self, machine_id machine, machine_order what);

/// Tells the allocator at once what has become free.
void tell_allocator(owner_pointer self);

// -- where failures are watched ---

/// Begins, as one life of the owner.
void survive(owner_pointer self);

/// Quits if another one is what it was.
bool quit_if_deposed(owner_pointer self);

/// What has changed at a guard's is told to everyone whom it concerns.
void follow_up(owner_pointer self);

/// Shows its life, and looks for silent machines; again after each heartbeat.
void beat(owner_pointer self);

/// Hears a machine's sign of life.
void hear(owner_pointer self, const machine_beat& heard);

} // namespace troupe
