#pragma once

#include "model/failure_protocol.hpp"
#include "model/sparrow_protocol.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// What schedulers that probe machines and machines with queues tell each other where failures are
/// watched, as plain values. As all messages of that kind these may be lost, late or doubled.
///
/// A life of a scheduler and a life of a machine have a session with two reliable channels: orders
/// go one way and events the other, each numbered from 1. To each scheduler a machine has a life of
/// its own: it ends when the machine has dropped all that it had of this scheduler.
///
/// That both sides are alive is not said in the session, but by a pulse for all machines of a
/// process, which says nothing about sessions and may overtake any message.
namespace troupe {

/// Numbers the session of a life of a scheduler and one of a machine.
constexpr std::uint64_t queue_session(incarnation scheduler, incarnation machine) {
  return (std::uint64_t{scheduler} << 32) | machine;
}

/// What a scheduler orders.
enum class queue_order_kind : std::uint8_t {
  entry,  ///< queue an entry
  answer, ///< to the machine's request for a task
  cancel, ///< drop the reservations of a job
  probe,  ///< tell how long the queue is
};

inline std::string to_string(queue_order_kind kind) {
  constexpr const char* names[] = {"entry", "answer", "cancel", "probe"};
  return names[static_cast<std::size_t>(kind)];
}

struct queue_order {
  queue_order_kind kind = queue_order_kind::entry;
  /// What to queue. Of an answer: the task and the group that was asked for; of a cancellation: the
  /// job.
  queue_entry entry;
  bool none = false; ///< answer: there is no task
  queue_probe probe;
};

/// What happens at a machine.
enum class queue_event_kind : std::uint8_t {
  request, ///< a reservation's turn has come
  length,  ///< the answer to a probe
  start,   ///< a task has started
  end,     ///< a task has ended
};

inline std::string to_string(queue_event_kind kind) {
  constexpr const char* names[] = {"request", "length", "start", "end"};
  return names[static_cast<std::size_t>(kind)];
}

struct queue_event {
  queue_event_kind kind = queue_event_kind::request;
  get_task_request request;
  probe_answer length;
  machine_event ended; ///< start: what has started, and when, without a number
};

/// A machine's message to a scheduler: new and overdue events, and acknowledgements.
struct queue_beat {
  machine_id machine = 0;
  incarnation life = 0; ///< of the machine, to this scheduler
  scheduler_id scheduler = 0;
  incarnation scheduler_life = 0; ///< that it obeys
  instant sent{0};                ///< by the machine's clock
  std::uint64_t orders_seen = 0;
  bool busy = false;   ///< it has something of this scheduler
  bool joins = false;  ///< the session begins: it tells all that it has
  bool leaves = false; ///< it is to be emptied: nothing more is to be sent there
  bool asks = false;   ///< it waits for the answer
  std::vector<task_id> running{};
  std::vector<machine_event> ended{}; ///< whose ends job stores may not know of
  /// Number of the first of `events`. Those before are known if it joins: they are part of all that
  /// it has.
  std::uint64_t first_event = 1;
  std::vector<queue_event> events{};
};

/// A scheduler's message to a machine: the first of a new life, or new and overdue orders, and
/// acknowledgements.
struct queue_word {
  scheduler_id scheduler = 0;
  incarnation scheduler_life = 0;
  machine_id machine = 0;
  incarnation life = 0;           ///< the machine's, or the one it has to have at least
  bool renews = false;            ///< it is in session: it may go on for another lease
  instant answers{0};             ///< when the latest sign of life that was heard was sent
  std::uint64_t events_heard = 0; ///< need not be told again
  std::uint64_t ends_done = 0;    ///< may be forgotten, by their own numbers
  std::uint64_t first_order = 1;  ///< number of the first of
  std::vector<queue_order> orders{};
};

// -- signs of life ------------------------------------------------------------------------------

/// The sign of life that a process shows a scheduler for all its machines: those with the numbers
/// from `first` on.
struct queue_pulse {
  machine_id first = 0;
  std::uint32_t count = 0;
  incarnation life = 0; ///< in which the process has started them
  scheduler_id scheduler = 0;
  incarnation scheduler_life = 0;
  instant sent{0}; ///< by the clock of the machines
};

/// Machines with consecutive numbers.
struct machine_run {
  machine_id first = 0;
  std::uint32_t count = 0;
};

/// A scheduler's answer, to the first of the machines: those that are in session with it may go on
/// for another lease.
struct queue_lease {
  scheduler_id scheduler = 0;
  incarnation scheduler_life = 0;
  machine_id first = 0;
  incarnation life = 0;              ///< as in the pulse
  instant answers{0};                ///< when that was sent
  std::vector<machine_run> except{}; ///< machines that are not in session, rising

  /// Returns whether a machine with a number from `first` on may go on.
  bool renews(machine_id machine) const {
    for (const auto& run : except)
      if (machine >= run.first && machine - run.first < run.count)
        return false;
    return true;
  }
};

} // namespace troupe
