#pragma once

#include "actors/protocol/handles.hpp"
#include "model/machine/foreign_use.hpp"
#include "model/machine/task_end_queue.hpp"
#include "model/protocol/sparrow_protocol.hpp"

#include <memory>
#include <vector>

namespace troupe {

/// How a machine runs tasks. One executor serves all machines of a node; it may be called from
/// several threads at once. It alone knows when a task ends: it reports each end once, to the node,
/// which tells the machine or the launcher of the task.
class executor {
public:
  virtual ~executor() = default;

  /// Starts a task at `now`. Returns the number of this run of the task.
  virtual run_number start(machine_id machine, const launch_order& order, instant now) = 0;

  /// Ends a run before its time. Its end is reported as that of a preempted task.
  virtual void kill(machine_id machine, run_number run) = 0;

  /// Told when a launch would overfill a machine. It is not started then.
  virtual void refuse(machine_id machine, const launch_order& order) = 0;

  /// Returns whether the end of a run has been reported.
  virtual bool has_ended(run_number run) const = 0;
};

/// The start of a task that no owner knows of, and the scheduler that wants to hear of it.
struct started_task {
  task_start what;
  scheduler_id scheduler = 0;
};

/// An executor as its node sees it.
class node_executor : public executor {
public:
  /// Says which actor is to be woken; to be called once, before the first start.
  virtual void attach(node_actor node) = 0;

  /// When the next ends are due; `instant::max()` if that is not known, or no task runs. The node
  /// is woken for ends that come earlier.
  virtual instant next_due() = 0;

  /// Appends the ends that are due at `now` to `out`.
  virtual void take_due(instant now, std::vector<task_end_queue::entry>& out) = 0;

  /// Appends the starts of tasks that no owner knows of, since the last call, to `out`. The node is
  /// woken when there is a first one.
  virtual void take_started(std::vector<started_task>& out) = 0;

  /// The counts since the start.
  virtual node_status status() = 0;

  /// What commands that an earlier process has left use here; null: there are none.
  virtual std::shared_ptr<const foreign_use> use_by_others() { return nullptr; }

  /// How many tasks that no owner knows of were started, by the group of their jobs.
  virtual std::vector<std::uint64_t> starts_by_group() = 0;
};

} // namespace troupe
