#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace troupe {

/// Finds the least of the values from, from + step, ... and `to` that is good enough, where one
/// good value means that all greater ones are. The greatest is tried first.
class bisection {
public:
  /// `from` <= `to`, `step` >= 1.
  bisection(std::int64_t from, std::int64_t to, std::int64_t step);

  /// The value to try next; nothing once the search is over.
  std::optional<std::int64_t> next() const;

  /// Says whether the value last returned by `next` is good enough.
  void tell(bool good);

  /// The value sought, once the search is over; nothing if even the greatest is not good enough.
  std::optional<std::int64_t> found() const;

  /// How many values are still to be tried, at most.
  int steps_left() const;

private:
  std::int64_t value(std::int64_t index) const { return std::min(from_ + index * step_, to_); }

  std::int64_t from_;
  std::int64_t to_;
  std::int64_t step_;
  std::int64_t bad_ = -1; ///< index of the greatest value known, or assumed, to be not good enough
  std::int64_t good_;     ///< index of the least value known, or hoped, to be good enough
  bool tried_ = false;    ///< whether the greatest has been
};

} // namespace troupe
