#pragma once

#include "model/protocol/protocol.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// The messages between Sparrow schedulers and machines, as plain values (Ousterhout et al.,
/// Sparrow, SOSP 2013). They identify all members by number, so no message needs a sender.
namespace troupe {

/// The kinds of entries in a machine's queue.
enum class entry_kind : std::uint8_t {
  reservation, ///< a place in the queue for any task of its job that is left when its turn comes
  task,        ///< a task that a Sparrow scheduler has sent
  granted,     ///< a task that an owner has granted
};

inline std::string to_string(entry_kind kind) {
  constexpr const char* names[] = {"reservation", "task", "granted"};
  return names[static_cast<std::size_t>(kind)];
}

/// A reservation or a task for a machine's queue.
struct queue_entry {
  entry_kind kind = entry_kind::reservation;
  /// For a task: the task. For a reservation: the job, the scheduler (`launcher`), and the
  /// resources that must be free before the machine asks for a task.
  launch_order order;
  std::uint32_t group = 0;   ///< reservation: index of its task group
  std::uint32_t tenant = 0;  ///< for weighted fair queues
  std::int32_t priority = 0; ///< higher goes first in priority queues
  machine_id placed_on = 0;  ///< the machine that the scheduler chose; stealing moves entries
  /// The length of the queue that it was placed in, as in `probe_answer`.
  std::int32_t length_met = 0;
};

/// A scheduler's request for the length of the queue, for tasks with this demand.
struct queue_probe {
  scheduler_id scheduler = 0;
  std::uint64_t round = 0; ///< counts the rounds of probes of one scheduler
  std::uint32_t index = 0; ///< of the probe within its round
  resources demand;
};

/// A machine's answer.
struct probe_answer {
  std::uint64_t round = 0;
  std::uint32_t index = 0;
  /// The number of waiting entries; if there is none, minus the number of such tasks that would
  /// fit.
  std::int32_t length = 0;
};

/// A machine's request for a task of a job, when a reservation's turn has come (getTask). The
/// machine holds the resources of the reservation until the answer comes.
struct get_task_request {
  job_id job = 0;
  std::uint32_t group = 0;
  machine_id machine = 0;
  machine_id placed_on = 0; ///< the machine that the scheduler chose for the reservation
  std::int32_t length_met = 0;
};

/// The requests that reach a scheduler at one instant, in their order.
struct task_requests {
  std::vector<get_task_request> all;
};

/// A scheduler's answer: a task, or nothing if no task of the job is left for this machine.
struct task_assignment {
  bool none = false;
  std::uint32_t group = 0; ///< as in the request
  launch_order order;      ///< without a task, only the job and the scheduler (`launcher`) matter
  /// Reservations of the job are not needed any more, as by a cancellation right before.
  bool cancels = false;
};

/// A scheduler's message that reservations of a job are no longer needed.
struct cancellation {
  scheduler_id scheduler = 0;
  job_id job = 0;
};

/// A machine's answer to an idle machine that asked for work.
struct stolen_entries {
  machine_id from = 0;
  std::vector<queue_entry> entries; ///< empty if there is nothing to give
};

/// A task's start on a machine.
struct task_start {
  task_id task;
  machine_id machine = 0;
  instant at{0};
};

/// A machine's message to each scheduler that probes machines: the new capacity of the machine, if
/// a trace changes it; zero while it is away. The machine has dropped the entries of the scheduler
/// that ask for more, and has reported the tasks that it has killed before.
struct capacity_notice {
  machine_id machine = 0;
  resources capacity;
  std::uint32_t number = 0; ///< counts the changes of this incarnation of the machine, from 1
};

/// A scheduler's answer. Until the answer comes, the machine drops entries of the scheduler that do
/// not fit into the capacity of the notice, because the scheduler sends them to other machines when
/// it receives the notice.
struct capacity_heard {
  scheduler_id scheduler = 0;
  std::uint32_t number = 0; ///< of the notice
};

/// A task that a machine has killed because it has no room for it any more.
struct killed_run {
  std::uint64_t run = 0; ///< its number by the executor
  scheduler_id scheduler = 0;
  task_end end;
};

/// A machine's message to its node, if failures are not watched: for all schedulers, after the
/// starts and ends that the node knows.
struct capacity_update {
  capacity_notice what;
  std::vector<killed_run> killed;
};

/// Starts and ends of a scheduler's tasks that no owner has granted.
struct task_news {
  std::vector<task_start> started; ///< in the order of their starts
  std::vector<task_end> ended;     ///< in the order of their ends; may be of tasks just started
};

} // namespace troupe
