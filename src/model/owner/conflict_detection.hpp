#pragma once

#include <cstdint>

namespace troupe {

/// Defines the conflicts when a placement is granted (Schwarzkopf et al., Omega, EuroSys 2013,
/// section 5.2).
enum class conflict_detection : std::uint8_t {
  fine,   ///< the placement would over-commit the machine
  coarse, ///< the machine has been claimed since the view was taken
};

} // namespace troupe
