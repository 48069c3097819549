#pragma once

#include <cstdint>

namespace troupe {

/// How strictly a scheduler uses only its own partitions.
enum class sharing : std::uint8_t {
  none, ///< all schedulers use all partitions
  soft, ///< it uses others only if its own have no room
  hard, ///< it never uses others
};

} // namespace troupe
