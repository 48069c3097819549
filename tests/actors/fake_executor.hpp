#pragma once

#include "actors/machine/executor.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace troupe::test {

/// Notes what it is told to run; the test says what has ended.
class fake_executor final : public executor {
public:
  std::map<run_number, task_id> running;
  std::vector<task_id> killed;
  std::vector<task_id> refused;
  std::vector<std::pair<instant, task_id>> started;

  run_number start(machine_id, const launch_order& order, instant now) override {
    started.emplace_back(now, order.task);
    running.emplace(++latest_, order.task);
    return latest_;
  }

  void kill(machine_id, run_number run) override {
    killed.push_back(running.at(run));
    running.erase(run);
  }

  void refuse(machine_id, const launch_order& order) override { refused.push_back(order.task); }

  bool has_ended(run_number run) const override { return ended_.contains(run); }

  /// Ends the run of a task. Returns its number.
  run_number end(const task_id& task) {
    const auto run = run_of(task);
    running.erase(run);
    ended_.insert(run);
    return run;
  }

  /// The run of a task that runs; 0 if there is none.
  run_number run_of(const task_id& task) const {
    const auto it = std::ranges::find(running, task, [](const auto& r) { return r.second; });
    return it == running.end() ? 0 : it->first;
  }

  bool runs(const task_id& task) const { return run_of(task) != 0; }

private:
  run_number latest_ = 0;
  std::set<run_number> ended_;
};

} // namespace troupe::test
