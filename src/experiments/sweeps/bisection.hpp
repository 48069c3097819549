#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace troupe {

/// Finds the least good value among from, from + step, ... and `to`, provided that all values above
/// a good one are good. Tries the greatest value first.
class bisection {
public:
  /// `from` <= `to`, `step` >= 1.
  bisection(std::int64_t from, std::int64_t to, std::int64_t step);

  /// The next value to try; nothing once the search is over.
  std::optional<std::int64_t> next() const;

  /// Reports whether the value last returned by `next` is good.
  void tell(bool good);

  /// The value found, once the search is over; nothing if even the greatest is not good.
  std::optional<std::int64_t> found() const;

  /// The greatest number of values still to be tried.
  int steps_left() const;

private:
  std::int64_t value(std::int64_t index) const { return std::min(from_ + index * step_, to_); }

  std::int64_t from_;
  std::int64_t to_;
  std::int64_t step_;
  std::int64_t bad_ = -1; ///< index of the greatest value known, or assumed, not to be good
  std::int64_t good_;     ///< index of the least value known, or assumed, to be good
  bool tried_ = false;    ///< whether the greatest value has been tried
};

} // namespace troupe
