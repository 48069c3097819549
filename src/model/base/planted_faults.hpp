#pragma once

/// Defects that tests can plant, to check that the search for defects finds them. Builds without
/// TROUPE_CHECKS have none.
namespace troupe {

enum class planted_fault : unsigned char {
  none,
  /// An owner grants, or a machine with a queue starts a task, without checking the free resources.
  unchecked_capacity,
  dropped_rejection, ///< a scheduler forgets tasks that were refused or lost with a machine
  doubled_end,       ///< a machine reports one end as two
  /// A new owner, or a new scheduler that probes machines, does not wait for the statements of the
  /// machines.
  trusted_claim,
  doubled_over,         ///< a scheduler records the end of a task twice
  forgotten_end,        ///< a machine does not report the end of a task
  early_quiet,          ///< a machine stops to speak to its owner before all that it said was heard
  miscounted_placement, ///< a scheduler counts a placement twice
  unnamed_machine,      ///< a new owner does not list the machines whose state is unknown to it
  early_release,        ///< a new scheduler treats a group as over when one of its tasks is
  kept_tasks,           ///< a machine whose capacity shrinks kills nothing
  ignored_constraints,  ///< a scheduler places tasks on any machines with room
  ignored_windows,      ///< schedulers, owners and machines use machines that windows close
  unrecorded_attempt,   ///< the record of a task has fewer attempts than there were
  misrecorded_machine,  ///< the record of a task names another machine than that of its run
  recorded_as_finished, ///< the record of each task says "finished"
  unrecorded_refusal,   ///< a refusal has no record
  untold_width,         ///< a scheduler does not tell job stores how wide it has made a job
  unscaled_width,       ///< a moldable job takes as long at each width as at the requested one
  unrecorded_task,      ///< a task that is over has no record
  unseen_machines,      ///< schedulers that probe do not look at machines that have joined
};

#ifdef TROUPE_CHECKS

inline planted_fault planted_now = planted_fault::none;

inline bool planted(planted_fault what) {
  return planted_now == what;
}

#else

constexpr bool planted(planted_fault) {
  return false;
}

#endif

} // namespace troupe
