#pragma once

#include "model/base/time.hpp"
#include "model/jobs/speedup.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

struct job;

/// What makes a job moldable: its scheduler chooses its width, the number of its tasks, at its
/// start, within these limits, and its run time follows from the width (Feitelson and Rudolph,
/// JSSPP 1996; Cirne and Berman, JPDC 62(10), 2002). Such a job is a gang of equal tasks. Before
/// its start it has the least width; once that is `settled`, it keeps its width.
struct moldability {
  std::uint32_t requested = 0; ///< the width that its user asked for; 0: the job is not moldable
  std::uint32_t least = 0;
  std::uint32_t most = 0;
  duration runtime{0};  ///< at the requested width
  duration estimate{0}; ///< likewise; 0: none
  speedup_model speedup{};
  bool settled = false; ///< its width has been chosen

  /// Returns whether its width may still be chosen.
  bool is_open() const { return requested > 0 && !settled; }

  /// Returns the time at a width for work that takes `length` at the requested width.
  duration at_width(duration length, std::uint32_t width) const;

  /// Returns the widths that may be chosen, rising: the requested one, this times and divided by
  /// powers of two, and the limits.
  std::vector<std::uint32_t> widths() const;

  /// Returns the least of these widths with at least so many tasks, or the greatest of all.
  std::uint32_t width_of(std::uint32_t tasks) const;

  friend bool operator==(const moldability&, const moldability&) = default;
};

/// Gives a moldable job a width, with the run time and the estimate that belong to it.
void mold(job& what, std::uint32_t width);

} // namespace troupe
