#pragma once

#include "runtime/swarm/rows.hpp"
#include "settings/settings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// A setting and its value, as after --set.
struct swarm_choice {
  std::string key;
  std::string value;
  const swarm_row* row = nullptr; ///< that it was drawn from; null: shrinking added it

  friend bool operator==(const swarm_choice&, const swarm_choice&) = default;
};

/// One run of a swarm.
struct swarm_draw {
  std::uint64_t seed = 0;
  std::vector<swarm_choice> choices; ///< over `swarm_base()`, in this order
  run_settings settings;             ///< complete and checked
  std::uint32_t refused = 0;         ///< earlier draws of the seed that could not be run
};

/// Draws the run that belongs to a seed. What the checks of settings refuse, and work that the
/// cluster cannot do, is drawn anew, always with the same result. Throws `std::logic_error` if a
/// thousand draws were refused.
swarm_draw draw_swarm(std::uint64_t seed, swarm_mode mode);

/// Returns the complete settings of some choices. Throws `settings_error` if the checks refuse
/// them.
run_settings swarm_settings(const std::vector<swarm_choice>& choices, std::uint64_t seed,
                            swarm_mode mode);

/// Renders the choices over the base as a settings file.
std::string swarm_toml(const std::vector<swarm_choice>& choices);

} // namespace troupe
