#pragma once

#include "actors/scheduler/scheduler_tables.hpp"
#include "model/view/avoided_machines.hpp"

#include <optional>
#include <string>

namespace troupe {

/// A pick of the policy, or of preemption.
struct pick_note {
  const waiting_task& task;
  std::optional<machine_id> picked; ///< nothing: it found none
  bool preempts = false;
  instant now{0};
  pick_goal goal = pick_goal::none;         ///< as in `watched_pick`
  std::optional<std::uint32_t> looked_at{}; ///< likewise
};

/// Returns the requirements that the machine of a task must meet.
machine_wish wish_of(const scheduler_tables& tables, const waiting_task& task);

/// Returns a scheduler's knowledge of a machine by its view.
machine_facts seen_facts(const scheduler_tables& tables, const avoided_machines& avoided,
                         const job& of, machine_id machine, instant now);

/// Tells a watch from which machines a pick was made, before the pick is charged to the view.
/// Examines all machines.
void note_pick(task_watch& watch, const scheduler_tables& tables, const avoided_machines& avoided,
               const pick_note& what);

} // namespace troupe
