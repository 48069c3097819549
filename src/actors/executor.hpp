#pragma once

#include "model/protocol.hpp"

#include <vector>

namespace troupe {

/// How a machine runs tasks. One executor serves all machines of a node; it may be called from
/// several threads at once. It reports each task's end to the owner named in the launch order.
class executor {
public:
  virtual ~executor() = default;

  /// Starts a task at `now`. Returns when it will end if that is known, else `instant::max()`.
  virtual instant start(machine_id machine, const launch_order& order, instant now) = 0;

  /// Ends a task that runs, which `start` said would end at `ends_at`. Its end is reported as that
  /// of a preempted task, at `ends_at` at the latest: each start has exactly one end, so the
  /// receiver of an end knows which run of the task it belongs to.
  virtual void kill(machine_id machine, const task_id& task, instant ends_at) = 0;

  /// Told when a launch would overfill a machine. It is not started then.
  virtual void refuse(machine_id machine, const launch_order& order) = 0;
};

} // namespace troupe
