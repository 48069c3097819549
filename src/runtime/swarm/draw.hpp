#pragma once

#include "runtime/swarm/rows.hpp"
#include "settings/schema/settings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// A setting and its value, in the form of --set.
struct swarm_choice {
  std::string key;
  std::string value;
  const swarm_row* row = nullptr; ///< the row that it was drawn from; null: shrinking added it

  friend bool operator==(const swarm_choice&, const swarm_choice&) = default;
};

/// One run of a swarm.
struct swarm_draw {
  std::uint64_t seed = 0;
  std::vector<swarm_choice> choices; ///< over `swarm_base()`, in this order
  run_settings settings;             ///< complete and checked
  std::uint32_t refused = 0;         ///< earlier draws of the seed that cannot be run
};

/// Draws the run of a seed. A draw that the checks of settings refuse, or whose work the cluster
/// cannot do, is replaced by another one; the result depends only on the seed and the mode. Throws
/// `std::logic_error` if a thousand draws were refused.
swarm_draw draw_swarm(std::uint64_t seed, swarm_mode mode);

/// Returns the complete settings of some choices. Throws `settings_error` if the checks refuse
/// them.
run_settings swarm_settings(const std::vector<swarm_choice>& choices, std::uint64_t seed,
                            swarm_mode mode);

/// Renders the choices over the base as a settings file.
std::string swarm_toml(const std::vector<swarm_choice>& choices);

} // namespace troupe
