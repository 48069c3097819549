#pragma once

#include "actors/machine/executor.hpp"

#include <optional>

namespace troupe {

/// Where a machine session has the tasks of its owner run.
class task_host {
public:
  virtual ~task_host() = default;

  virtual machine_id id() const = 0;

  /// The resources that are neither in use nor held.
  virtual const resources& free() const = 0;

  /// Changes what the machine has by so much.
  virtual void resize(const resources& by, instant now) = 0;

  /// Starts a task of a tenant, at once or when it is at the head of the queue. Returns false if it
  /// has no room for it.
  virtual bool start(const launch_order& order, std::uint32_t tenant, instant now) = 0;

  /// Ends a task before its time, or keeps it from starting. Returns false if it is not here.
  virtual bool kill(const task_id& task, instant now) = 0;

  /// The same for all tasks of the owner.
  virtual void kill_all(instant now) = 0;

  /// Books the end of a run. Returns the task, or nothing: it was killed, or an earlier incarnation
  /// of this machine started it.
  virtual std::optional<task_id> end(run_number run, instant now) = 0;
};

} // namespace troupe
