#pragma once

#include "actors/scheduler/scheduler_core.hpp"
#include "actors/sparrow/sparrow_core.hpp"
#include "model/explain/machine_survey.hpp"
#include "model/explain/task_situation.hpp"
#include "runtime/inspect/run_inspector.hpp"
#include "settings/schema/settings.hpp"

#include <memory>
#include <vector>

namespace troupe {

/// The states of the members of a run in virtual time, as they are at this moment.
class true_state {
public:
  /// `settings` must outlive this.
  true_state(const run_settings& settings, std::shared_ptr<const catalog> machines,
             member_finder find);

  const catalog& machines() const { return *machines_; }

  /// The core of a scheduler that places tasks on a view, or that probes; null if it is of the
  /// other kind, or does not live.
  const scheduler_core* placing(scheduler_id s) const;
  const sparrow_core* probing(scheduler_id s) const;

  /// Where a task is, by the records of a scheduler from a plugin; nothing if it is built in.
  std::optional<task_situation> in_plugin(scheduler_id s, const task_id& task) const;

  std::uint32_t schedulers() const { return settings_.schedulers; }

  /// What the owner of a machine knows of it; of machines with queues, where `scheduler` probes,
  /// the machine itself. Nothing of it is present if its owner does not live.
  machine_facts facts(machine_id machine, bool by_queue) const;

  /// Whether an owner lives.
  bool lives(owner_id owner) const;

private:
  const run_settings& settings_;
  std::shared_ptr<const catalog> machines_;
  member_finder find_;
  std::vector<owner_id> owner_of_; ///< empty: there are no owners
};

} // namespace troupe
