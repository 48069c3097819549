#pragma once

#include "model/distribution.hpp"
#include "model/time.hpp"

#include <array>
#include <cstdint>

namespace troupe {

/// Bins for the age of the partition that a placement was decided on: tenths of the sync gap, and
/// one for what is older than the gap.
inline constexpr std::size_t age_bins = 11;

/// What schedulers count of how placing went: what it takes to see what conflicts cost and what a
/// remedy against them brings.
struct attempt_counts {
  /// Attempts at a job that are over: the placements of one job that were decided on at a time, a
  /// transaction in the words of Omega (Schwarzkopf et al., EuroSys 2013).
  std::uint64_t transactions = 0;
  std::uint64_t conflicted = 0; ///< those of them in which a placement was in conflict
  std::uint64_t aborted = 0;    ///< placements refused because of another one in their transaction
  std::uint64_t diverted = 0;   ///< placements granted on another machine than the first choice
  duration wasted{0};           ///< deciding time spent on placements that were not granted
  std::uint64_t at_once = 0;    ///< tasks that were placed at the first attempt
  distribution later;           ///< attempts of all other tasks that were placed, from 2
  /// Submission of a job until the first attempt at it, in s: of jobs that an attempt was made at.
  distribution wait;
  std::array<std::uint64_t, age_bins> granted_by_age{};
  std::array<std::uint64_t, age_bins> refused_by_age{}; ///< conflicts
  distribution refused_age;       ///< age of what conflicts were decided on, in s
  std::uint64_t gangs_placed = 0; ///< gangs that were started
  std::uint64_t gangs_broken = 0; ///< gangs of which a part had to be started later: see holds
  /// Gangs given up because the machines, idle, could not hold them together.
  std::uint64_t gangs_impossible = 0;
  std::uint64_t jobs_abandoned = 0; ///< jobs that are over of which a task was abandoned
  /// Tasks abandoned because no machine that their scheduler may use could hold them, were it idle.
  std::uint64_t unplaceable = 0;

  /// Returns the attempts of every task that was placed.
  distribution tries() const;

  /// Adds what another scheduler counted.
  void merge(const attempt_counts& other);
};

/// Returns the bin of an age where each is `width` wide; the first one if `width` is 0.
inline std::size_t age_bin(duration age, duration width) {
  if (width <= duration::zero() || age <= duration::zero())
    return 0;
  const auto bin = static_cast<std::size_t>(age / width);
  return bin < age_bins ? bin : age_bins - 1;
}

} // namespace troupe
