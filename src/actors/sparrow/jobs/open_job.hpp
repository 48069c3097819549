#pragma once

#include "model/cluster/machine_pools.hpp"
#include "model/jobs/job.hpp"
#include "model/protocol/failure_protocol.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// A job of a Sparrow scheduler that is not over: which of its tasks wait, where it has reserved,
/// and where its other tasks are.
struct open_job {
  enum class task_state : std::uint8_t { waiting, sent, running, over };

  struct task_note {
    machine_id machine = 0; ///< where it was sent
    task_state state = task_state::waiting;

    bool is_on(machine_id there) const {
      return machine == there && (state == task_state::sent || state == task_state::running);
    }
  };

  struct group_state {
    machine_pools::pool_id pool = 0;
    std::uint32_t first = 0;            ///< index of its first task
    std::uint32_t fresh = 0;            ///< tasks before this one, within the group, were taken
    std::uint32_t waiting = 0;          ///< tasks that are to be taken
    std::uint32_t reserved = 0;         ///< reservations for the group that have not been used
    std::vector<std::uint32_t> again{}; ///< tasks taken before that are to be taken again
    std::uint32_t unfinished = 0;       ///< tasks that are not over
    std::uint32_t blockers = 0;         ///< groups that it waits for; its tasks must not be taken
    instant released{0};                ///< when it ceased to wait for others
    bool closed_out = false;            ///< no machine was open to it when one was last looked for

    bool blocked() const { return blockers > 0; }

    /// How many tasks may be taken now.
    std::uint32_t ready() const { return blocked() ? 0 : waiting; }
    bool lacks_machines() const { return ready() > reserved; }
  };

  struct reservation {
    machine_id machine = 0;
    std::uint32_t group = 0;
  };

  job what;
  std::vector<task_note> tasks;
  std::vector<group_state> groups;
  std::vector<reservation> reservations;
  std::uint32_t unfinished = 0;
  std::uint64_t number = 0; ///< of its submission
  bool placed = false;
  bool abandoned = false;   ///< none of its tasks is to be placed any more
  std::size_t reserved = 0; ///< reservations made
  std::size_t met_room = 0; ///< of these, on machines that had room
  instant last_end{0};
  task_fate fate = task_fate::finished; ///< so far

  /// Takes a job in of which all tasks wait. `pools` tells which machines suit its groups.
  void begin(job taken, machine_pools& pools);

  /// Takes up where an earlier incarnation has left the job: `over` are the tasks that are over,
  /// and all others that are noted to wait are to be taken, once their groups are released.
  void close_before(const std::vector<std::uint32_t>& over);

  /// Counts the tasks that are noted to wait. Returns how many there are.
  std::uint32_t count_waiting_again();

  /// Notes that a task is over. Returns the groups that waited for that and are released by it.
  std::vector<std::uint32_t> close(std::uint32_t task, instant at);

  /// Returns the next task of a group that is to be taken.
  std::uint32_t take_task(std::uint32_t group);

  /// Has a task taken once more.
  void put_back(std::uint32_t task);

  /// Uses up a reservation on a machine. Returns false if it has been forgotten.
  bool use_reservation(machine_id machine, std::uint32_t group);

  /// Forgets the reservations on a machine, those for a group there, or all of them.
  void forget_reservations(machine_id machine);
  void forget_reservations(machine_id machine, std::uint32_t group);
  void forget_reservations();

  /// How many tasks may be taken now, and how many wait for others of the job.
  std::uint32_t ready() const;
  std::uint32_t blocked() const;

  std::uint32_t group_of(std::uint32_t task) const;
  std::size_t tasks_on(machine_id machine) const;

  /// Whether a task is on a machine, in that state.
  bool is_at(std::uint32_t task, machine_id machine, task_state state) const {
    return tasks[task].machine == machine && tasks[task].state == state;
  }

  /// How long a task runs.
  duration runtime_of(std::uint32_t task) const {
    const auto g = group_of(task);
    return what.groups[g].duration_of(task - groups[g].first);
  }
};

} // namespace troupe
