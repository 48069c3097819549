#pragma once

#include "model/protocol/failure_protocol.hpp"
#include "model/protocol/sparrow_protocol.hpp"

#include <cstdint>
#include <variant>
#include <vector>

/// The envelopes that carry the messages of `sparrow_protocol.hpp` if failures are watched. They
/// number, repeat and acknowledge the messages. Any envelope may be lost, late or doubled.
///
/// An incarnation of a scheduler and one of a machine share a session with two reliable channels:
/// orders go one way and events the other, each numbered from 1. A machine has a separate
/// incarnation for each scheduler. It ends when the machine has dropped everything that it had of
/// this scheduler.
///
/// The session does not show that both sides are alive. A `process_heartbeat` for all machines of a
/// process does so; it is independent of sessions and may overtake any message.
namespace troupe {

/// Numbers the session of an incarnation of a scheduler and one of a machine.
constexpr std::uint64_t queue_session_number(incarnation_id scheduler, incarnation_id machine) {
  return (std::uint64_t{scheduler} << 32) | machine;
}

/// An order of a scheduler to a machine.
using queue_order =
  std::variant<queue_entry, task_assignment, cancellation, queue_probe, capacity_heard>;

/// A reservation that a machine has given up, since an idle machine has asked it for work (Hawk).
/// The scheduler orders it on that machine.
struct moved_reservation {
  machine_id to = 0;
  job_id job = 0;
  std::uint32_t group = 0;     ///< of tasks that it was made for
  machine_id placed_on = 0;    ///< as in `queue_entry`
  std::int32_t length_met = 0; ///< likewise
};

/// An event that a machine reports to a scheduler. The ends of tasks have their own numbers, since
/// the machine keeps them longer than other events.
using queue_event = std::variant<get_task_request, probe_answer, task_start, machine_event,
                                 moved_reservation, capacity_notice>;

/// A machine's message to a scheduler: new and overdue events, and acknowledgements.
struct queue_report {
  machine_id machine = 0;
  incarnation_id incarnation = 0; ///< of the machine, for this scheduler
  scheduler_id scheduler = 0;
  incarnation_id scheduler_incarnation = 0; ///< that it obeys
  instant sent{0};                          ///< by the machine's clock
  std::uint64_t orders_seen = 0;
  bool busy = false;   ///< it has an entry or a task of this scheduler
  bool joins = false;  ///< the session begins: the machine states all that it has
  bool leaves = false; ///< it is being drained: nothing more may be sent to it
  bool asks = false;   ///< it waits for the answer
  std::vector<task_id> running{};
  std::vector<machine_event> ended{}; ///< ends that job stores may not know
  /// If it joins: the latest notice, if a trace changes what the machine has.
  std::vector<capacity_notice> capacity{};
  /// Number of the first of `events`. If the machine joins, earlier ones are part of its statement.
  std::uint64_t first_event = 1;
  std::vector<queue_event> events{};
};

/// A scheduler's message to a machine: the first of a new incarnation, or new and overdue orders,
/// and acknowledgements.
struct queue_orders {
  scheduler_id scheduler = 0;
  incarnation_id scheduler_incarnation = 0;
  machine_id machine = 0;
  incarnation_id incarnation = 0; ///< the machine's, or the least that it must have
  bool renews = false;            ///< it is in session: extends its lease
  instant answers{0};             ///< when the last heartbeat that arrived was sent
  std::uint64_t events_heard = 0; ///< need not be repeated
  std::uint64_t ends_done = 0;    ///< may be forgotten, by their own numbers
  std::uint64_t first_order = 1;  ///< number of the first of `orders`
  std::vector<queue_order> orders{};
};

} // namespace troupe
