#pragma once

#include "actors/queue/queueing_machine.hpp"

/// What the actor of a machine with a queue does, by parts of it: on its own
/// (queueing_machine.cpp), and among others that may fail (queueing_machine_failover.cpp).
namespace troupe {

using queueing_machine_pointer = light_actor_of<queueing_machine_state>*;

instant now(queueing_machine_pointer self);

/// Asks the next machine for work, if there is none here.
void steal(queueing_machine_pointer self);

/// Notes the answer of the machine that was asked for work.
void note_answer(queueing_machine_pointer self, const stolen_entries& loot);

// -- where failures are watched ---

/// Begins, without a session yet.
void begin_sessions(queueing_machine_pointer self, const queue_session_config& config);

/// Applies the leases that all machines of the node have got, and the ends of leases. Returns the
/// sessions, up to date, or null if failures are not watched.
queue_tie* tie_now(queueing_machine_pointer self);

/// Returns the handle of another machine, or null.
queueing_machine_actor neighbour(queueing_machine_pointer self, machine_id other);

/// Repeats overdue messages and sends heartbeats; to be called every heartbeat.
void look_around(queueing_machine_pointer self, queue_tie& tie);

/// Reacts to the end of a lease.
void wake(queueing_machine_pointer self, queue_tie& tie);

/// Carries out the orders of a scheduler.
void hear(queueing_machine_pointer self, queue_tie& tie, const queue_orders& orders);

/// Extends the lease of a scheduler.
void take_lease(queueing_machine_pointer self, const process_lease& lease);

/// Obeys the reply of an owner.
void hear(queueing_machine_pointer self, queue_tie& tie, const lease_reply& word);

/// Carries an owner's order out.
void obey(queueing_machine_pointer self, queue_tie& tie, const machine_order& order);

/// Books the end of a run in the session that it came through.
void book_end(queueing_machine_pointer self, queue_tie& tie, run_number run, const task_end& end);

/// Gives work to a machine that has nothing to do, by way of the schedulers.
void give_away(queueing_machine_pointer self, queue_tie& tie, machine_id thief);

/// Asks the next machine for work if that one has given nothing.
void hear(queueing_machine_pointer self, queue_tie& tie, const stolen_entries& loot);

/// Finishes the tasks and entries, and takes no more.
void leave(queueing_machine_pointer self, queue_tie& tie);

} // namespace troupe
