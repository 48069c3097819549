#pragma once

#include "actors/executor.hpp"
#include "actors/handles.hpp"
#include "actors/run_clock.hpp"

#include <boost/container/small_vector.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <optional>

namespace troupe {

/// What all machines of a node share.
struct machine_config {
  std::shared_ptr<executor> runs_on;
  run_clock clock;
};

/// One machine: what runs on it now.
class machine_state {
public:
  static inline const char* name = "machine";

  machine_state() = default;

  machine_id id = 0;
  resources free; ///< beside the tasks that were running when it was looked at last
  std::shared_ptr<const machine_config> config;

  /// Returns whether a task with this demand fits beside what runs at `now`.
  bool fits(const resources& demand, instant now);

  void add(const task_id& task, const resources& demand, instant ends_at);

  /// Takes a task off the machine. Returns when it would have ended, or nothing if it does not run
  /// at `now`.
  std::optional<instant> remove(const task_id& task, instant now);

  machine_status status(instant now);

private:
  struct running {
    task_id task;
    instant ends_at{0};
    resources demand;
  };

  void forget_ended(instant now);

  static bool ends_later(const running& a, const running& b) { return a.ends_at > b.ends_at; }

  boost::container::small_vector<running, 2> running_; ///< a heap, the earliest end first
};

/// A machine starts the tasks that its owner launches and refuses those that would overfill it.
machine_actor::behavior_type machine(machine_actor::stateful_pointer<machine_state> self,
                                     machine_id id, const resources& capacity,
                                     std::shared_ptr<const machine_config> config);

} // namespace troupe
