#pragma once

#include "model/discipline/availability_profile.hpp"
#include "model/discipline/start_discipline.hpp"

#include <cstddef>
#include <optional>

namespace troupe {

/// Chooses the shape of a moldable job (its width, with the run time that belongs to it) among
/// those that are offered, narrower ones first, by a rule:
///
/// - available: the earliest start, then the earliest end;
/// - earliest_finish: the earliest end, then the earliest start. The application scheduler of Cirne
///   and Berman goes by this with the predictions of the supercomputer's scheduler (Using
///   Moldability to Improve the Performance of Supercomputer Jobs, JPDC 62(10), 2002).
///
/// Of equal ones it is the first offered, which takes the fewest processors.
class shape_choice {
public:
  struct offer {
    std::size_t shape = 0; ///< its number among those of the job
    instant start = far_future;
    instant end = far_future; ///< expected
  };

  explicit shape_choice(width_rule by) : by_(by) {}

  /// Takes a shape in account that may start at `start`, if it may at all, and takes `length` then.
  void add(std::size_t shape, instant start, duration length) {
    if (start == far_future)
      return;
    const offer next{shape, start, end_after(start, length)};
    if (!best_ || goes_before(next, *best_))
      best_ = next;
  }

  /// The best one; nothing if none may start.
  const std::optional<offer>& best() const { return best_; }

  bool goes_before(const offer& a, const offer& b) const {
    if (by_ == width_rule::available && a.start != b.start)
      return a.start < b.start;
    return a.end != b.end ? a.end < b.end : a.start < b.start;
  }

private:
  width_rule by_;
  std::optional<offer> best_;
};

} // namespace troupe
