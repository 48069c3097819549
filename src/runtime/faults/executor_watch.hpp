#pragma once

#include "actors/machine/executor.hpp"

#include <map>
#include <memory>
#include <vector>

namespace troupe {

/// Receives the actions of an executor on the tasks of machines.
class executor_events {
public:
  virtual ~executor_events() = default;

  virtual void started(machine_id machine, const launch_order& order, run_number run,
                       instant now) = 0;
  /// A task that had not ended.
  virtual void killed(machine_id machine, run_number run, const task_id& task) = 0;
  /// A machine has no room for a task that it is ordered to run.
  virtual void refused(machine_id machine, const launch_order& order) = 0;
  /// A task has ended by itself.
  virtual void ended(const task_end& end, run_number run) = 0;
};

/// Passes calls on to an executor, and reports them.
class executor_watch final : public node_executor {
public:
  /// `tells` must outlive it.
  executor_watch(executor_events& tells, std::shared_ptr<node_executor> inner);

  run_number start(machine_id machine, const launch_order& order, instant now) override;
  void kill(machine_id machine, run_number run) override;
  void refuse(machine_id machine, const launch_order& order) override;
  void take_due(instant now, std::vector<task_end_queue::entry>& out) override;

  bool has_ended(run_number run) const override { return inner_->has_ended(run); }
  void attach(node_actor node) override { inner_->attach(std::move(node)); }
  instant next_due() override { return inner_->next_due(); }
  void take_started(std::vector<started_task>& out) override { inner_->take_started(out); }
  node_status status() override { return inner_->status(); }
  std::vector<std::uint64_t> starts_by_group() override { return inner_->starts_by_group(); }

private:
  executor_events& tells_;
  std::shared_ptr<node_executor> inner_;
  std::map<run_number, task_id> tasks_; ///< tasks whose ends have not been reported
};

} // namespace troupe
