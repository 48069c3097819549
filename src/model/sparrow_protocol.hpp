#pragma once

#include "model/protocol.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// What Sparrow schedulers and machines tell each other, as plain values (Ousterhout et al.,
/// Sparrow, SOSP 2013). Everyone is named by number, so that no message needs a sender.
namespace troupe {

/// What waits in a machine's queue.
enum class entry_kind : std::uint8_t {
  reservation, ///< a place in the queue for whatever task of its job is left when its turn comes
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
  /// What to run, where it is a task. Of a reservation: the job, the scheduler (`owner`), and what
  /// must be free before the machine asks for a task.
  launch_order order;
  std::uint32_t group = 0;   ///< reservation: index of the task group that it was made for
  std::uint32_t tenant = 0;  ///< whose it is, for weighted fair queues
  std::int32_t priority = 0; ///< higher goes first in priority queues
  machine_id placed_on = 0;  ///< where the scheduler has put it; stealing moves entries on
  std::int32_t length_met =
    0; ///< the length of the queue that it was placed in, as in `probe_answer`
};

/// A scheduler's question how long the queue is for tasks that ask for so much.
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
  /// How many entries wait; where none does, minus the number of such tasks that would fit.
  std::int32_t length = 0;
};

/// A machine's question for a task of a job, once a reservation's turn has come (getTask). What
/// the reservation asks for is held until the answer comes.
struct get_task_request {
  job_id job = 0;
  std::uint32_t group = 0;
  machine_id machine = 0;
  machine_id placed_on = 0; ///< where the scheduler had put the reservation
  std::int32_t length_met = 0;
};

/// A scheduler's answer: a task, or nothing if none of the job is left for this machine.
struct task_assignment {
  bool none = false;
  std::uint32_t group = 0; ///< as in the request
  launch_order order;      ///< without a task only the job and the scheduler (`owner`) count
};

/// A scheduler's word that no reservation of a job is needed any more.
struct cancellation {
  scheduler_id scheduler = 0;
  job_id job = 0;
};

/// What a machine hands to one that has nothing to do.
struct stolen_entries {
  machine_id from = 0;
  std::vector<queue_entry> entries; ///< none if there is nothing to give
};

/// A task's start on a machine.
struct task_start {
  task_id task;
  machine_id machine = 0;
  instant at{0};
};

/// What became of a scheduler's tasks that no owner has granted.
struct task_news {
  std::vector<task_start> started; ///< in the order of their starts
  std::vector<task_end> ended;     ///< in the order of their ends; may be of tasks just started
};

} // namespace troupe
