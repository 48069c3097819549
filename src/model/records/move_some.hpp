#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace troupe {

/// Moves at most `most` records of `from`, of which the first `taken` were moved before, to `to`.
/// Counts them in `taken`, and takes them off `most`.
template <class Record>
void move_some(std::vector<Record>& from, std::size_t& taken, std::vector<Record>& to,
               std::size_t& most) {
  const auto n = std::min(most, from.size() - taken);
  most -= n;
  if (taken == 0 && n == from.size()) {
    to = std::exchange(from, {});
    from.reserve(n); // about as many will follow
    return;
  }
  const auto first = from.begin() + static_cast<std::ptrdiff_t>(taken);
  to.assign(std::make_move_iterator(first),
            std::make_move_iterator(first + static_cast<std::ptrdiff_t>(n)));
  taken += n;
  if (taken == from.size()) {
    from.clear();
    taken = 0;
  }
}

} // namespace troupe
