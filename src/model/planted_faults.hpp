#pragma once

/// Defects that can be planted to see whether the search for defects finds them. Builds without
/// TROUPE_CHECKS have none.
namespace troupe {

enum class planted_fault : unsigned char {
  none,
  /// An owner grants, or a machine with a queue starts, without looking at what is free.
  unchecked_capacity,
  dropped_rejection, ///< a scheduler forgets what was refused, or lost with a machine
  doubled_end,       ///< a machine reports an end twice, as two
  /// A new owner takes machines for what they were before its time; a new scheduler that probes
  /// them does not wait for what they tell.
  trusted_claim,
  doubled_over,         ///< a scheduler notes the end of a task twice
  forgotten_end,        ///< a machine does not tell the end of a task
  miscounted_placement, ///< a scheduler counts a placement as two
  unnamed_machine,      ///< a new owner does not say which machines it knows nothing of
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
