#pragma once

/// Defects that can be planted to see whether the search for defects finds them. Builds without
/// TROUPE_CHECKS have none.
namespace troupe {

enum class planted_fault : unsigned char {
  none,
  unchecked_capacity, ///< an owner grants without looking at what is free
  dropped_rejection,  ///< a scheduler forgets what was refused
  doubled_end,        ///< a machine reports an end twice, as two
  trusted_claim,      ///< a new owner takes machines for what they were before its time
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
