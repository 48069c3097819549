#pragma once

#include "actors/machine/executor.hpp"
#include "jobs/protocol/work_exchange.hpp"

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace troupe {

/// The runs of tasks on a node, as its machines see them: they were started, may be killed, and
/// end. A run waits for the job service until it becomes an attempt. Without threads and processes.
class run_table {
public:
  /// A run that the machine has started.
  run_number start(machine_id machine, const launch_order& order);

  /// The machine gives a run up. Returns its attempt, which is to be stopped, if it has one; else
  /// it is over.
  std::optional<attempt_key> kill(run_number number, instant now);

  /// The tasks for which the job service has not answered yet.
  std::vector<task_id> wanted() const;

  enum class beginning {
    begun,
    unwanted, ///< no run waits for it any more: it is to be stopped
    too_early ///< it is the attempt of an earlier run of the task, which stops: the run continues
              ///< waiting
  };

  /// The task of a run that waits has become an attempt.
  beginning begin(const task_id& task, const attempt_key& which);

  /// The job service refuses a run of a task: the machine continues without it.
  void refuse(const task_id& task, instant now);

  /// An attempt has ended. Nothing happens if no run of this process belongs to it.
  void end(const attempt_key& which, bool succeeded, instant now);

  /// The ends that the machines have not been told; they are told now.
  std::vector<task_end_queue::entry> take_ends();
  bool has_ends() const { return !ends_.empty(); }

  bool has_ended(run_number number) const { return ended_.contains(number); }
  std::size_t size() const { return runs_.size(); }
  const node_status& status() const { return status_; }
  void count_refused_launch() { ++status_.over_capacity; }

  std::vector<started_task> take_started() { return std::exchange(started_, {}); }
  const std::vector<std::uint64_t>& starts_by_group() const { return starts_by_group_; }
  void note_scheduler_start(machine_id machine, const launch_order& order, instant now);

private:
  struct run {
    machine_id machine = 0;
    launch_order order;
    std::optional<attempt_key> attempt{};
    bool killed = false;
  };

  void close(run_number number, task_outcome outcome, instant now);

  run_number latest_ = 0;
  std::unordered_map<run_number, run> runs_;
  std::map<task_id, run_number> waiting_;
  std::map<attempt_key, run_number> by_attempt_;
  std::vector<task_end_queue::entry> ends_;
  run_set ended_;
  node_status status_;
  std::vector<started_task> started_;
  std::vector<std::uint64_t> starts_by_group_;
};

} // namespace troupe
