#pragma once

#include "actors/machine/task_host.hpp"
#include "actors/queue/queue_server.hpp"
#include "actors/queue/queue_sessions.hpp"

namespace troupe {

/// Runs the tasks that an owner grants on a machine with a queue, beside those of schedulers that
/// probe.
class granted_tasks final : public task_host {
public:
  /// `serves` and `schedulers` must outlive it.
  granted_tasks(queue_server& serves, queue_sessions& schedulers)
    : serves_(&serves), schedulers_(&schedulers) {}

  machine_id id() const override { return serves_->id(); }
  const resources& free() const override { return serves_->core().free(); }
  void resize(const resources& by, instant now) override { serves_->resize(by, now); }

  bool start(const launch_order& order, std::uint32_t tenant, instant now) override {
    return serves_->take(order, tenant, *schedulers_, now);
  }
  bool kill(const task_id& task, instant now) override {
    schedulers_->note_freed();
    return serves_->revoke(task, *schedulers_, now);
  }
  void kill_all(instant now) override {
    schedulers_->note_freed();
    serves_->revoke_granted(*schedulers_, now);
  }

  std::optional<task_id> end(run_number run, instant now) override {
    const auto ran = serves_->ended(run, now);
    if (!ran)
      return std::nullopt;
    schedulers_->note_freed();
    serves_->serve(*schedulers_, now);
    return ran->task;
  }

private:
  queue_server* serves_;
  queue_sessions* schedulers_;
};

} // namespace troupe
