#pragma once

#include "model/protocol/failure_protocol.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace troupe {

/// The reports of machines about tasks of an earlier incarnation of their scheduler, while a new
/// one takes over.
class left_tasks {
public:
  explicit left_tasks(std::size_t machines) : told_(machines) {}

  /// Notes that a machine has reported all its tasks.
  void told(machine_id machine) {
    count_ += !told_[machine];
    told_[machine] = true;
  }

  /// Whether every machine has reported.
  bool all_told() const { return count_ == told_.size(); }

  /// Takes the report of a machine.
  void take(machine_id machine, const std::vector<task_id>& running,
            const std::vector<machine_event>& ended) {
    on_[machine] = {running, ended};
  }

  /// Forgets the report of a machine that was given up.
  void forget(machine_id machine) { on_.erase(machine); }

  /// Notes the end of a task, if it is one of them. Returns whether it is.
  bool end(machine_id machine, const machine_event& ended);

  /// Takes a job over as its job store has it: its tasks that are not over are open.
  void open(const kept_job& job);

  /// Returns where the tasks run, or have run to their ends.
  std::map<task_id, machine_id> places() const;

  /// Returns the ends that were told, by machine, and whether their tasks were open, and forgets
  /// everything.
  struct told_end {
    machine_id machine = 0;
    machine_event what;
    bool open = false;
  };
  std::vector<told_end> take_ends();

private:
  struct claim {
    std::vector<task_id> running;
    std::vector<machine_event> ended;
  };

  std::vector<bool> told_; ///< by machine
  std::size_t count_ = 0;
  std::map<machine_id, claim> on_;
  std::set<task_id> open_;
};

} // namespace troupe
