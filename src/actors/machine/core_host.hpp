#pragma once

#include "actors/machine/machine_core.hpp"
#include "actors/machine/task_host.hpp"

namespace troupe {

/// Has the tasks of an owner run by a machine without a queue.
class core_host final : public task_host {
public:
  /// `core` and `runs_on` must outlive it.
  core_host(machine_core& core, executor& runs_on) : core_(&core), runs_on_(&runs_on) {}

  machine_id id() const override { return core_->id(); }
  const resources& free() const override { return core_->free(); }
  void resize(const resources& by, instant) override { core_->resize(by); }

  bool start(const launch_order& order, std::uint32_t, instant now) override {
    return core_->start(order, *runs_on_, now);
  }
  bool kill(const task_id& task, instant) override {
    return core_->kill(task, *runs_on_).has_value();
  }
  void kill_all(instant) override { core_->kill_all(*runs_on_); }

  std::optional<task_id> end(run_number run, instant) override {
    const auto ran = core_->end(run);
    return ran ? std::optional{ran->task} : std::nullopt;
  }

private:
  machine_core* core_;
  executor* runs_on_;
};

} // namespace troupe
