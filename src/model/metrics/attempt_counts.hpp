#pragma once

#include "model/base/distribution.hpp"
#include "model/base/time.hpp"

#include <array>
#include <cstdint>

namespace troupe {

/// Bins for the age of the partition on which a placement was decided: ten tenths of the sync gap,
/// and one bin for ages above the gap.
inline constexpr std::size_t age_bins = 11;

/// Counts of schedulers about placement attempts. They show the cost of conflicts and the effect of
/// a remedy against them.
struct attempt_counts {
  /// Finished attempts at a job. An attempt is all placements of one job that were decided
  /// together; Omega calls it a transaction (Schwarzkopf et al., EuroSys 2013).
  std::uint64_t transactions = 0;
  std::uint64_t conflicted = 0; ///< those with at least one conflict
  std::uint64_t aborted = 0;    ///< placements refused because another one of their transaction was
  std::uint64_t diverted = 0;   ///< placements granted on another machine than the first choice
  duration wasted{0};           ///< deciding time spent on placements that were not granted
  std::uint64_t at_once = 0;    ///< tasks placed at the first attempt
  distribution later;           ///< attempts of all other tasks that were placed, from 2
  /// The time from the submission of a job to the first decision that finds machines for it, in s,
  /// for jobs that have one.
  distribution wait;
  std::array<std::uint64_t, age_bins> granted_by_age{};
  std::array<std::uint64_t, age_bins> refused_by_age{}; ///< conflicts
  distribution refused_age; ///< age of the state on which conflicting placements were decided, in s
  std::uint64_t gangs_placed = 0; ///< gangs that started
  /// Gangs of which a part had to be started later: see `commit_mode::hold`.
  std::uint64_t gangs_broken = 0;
  /// Gangs abandoned because the machines could not hold them together even if idle.
  std::uint64_t gangs_impossible = 0;
  std::uint64_t jobs_abandoned = 0; ///< jobs that are over and of which a task was abandoned
  /// Tasks abandoned because no machine that their scheduler may use could hold them, even if idle.
  std::uint64_t unplaceable = 0;

  /// Returns the numbers of attempts of all placed tasks.
  distribution tries() const;

  /// Adds the counts of another scheduler.
  void merge(const attempt_counts& other);
};

/// Returns the bin of an age if each bin is `width` wide; the first one if `width` is 0.
inline std::size_t age_bin(duration age, duration width) {
  if (width <= duration::zero() || age <= duration::zero())
    return 0;
  const auto bin = static_cast<std::size_t>(age / width);
  return bin < age_bins ? bin : age_bins - 1;
}

} // namespace troupe
