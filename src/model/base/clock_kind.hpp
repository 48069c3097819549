#pragma once

#include "model/base/choice.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace troupe {

/// Whether the time of a run is simulated or that of the wall clock.
enum class clock_kind : std::uint8_t { virtual_time, real_time };

template <>
struct choice_names<clock_kind> {
  static constexpr std::array<std::string_view, 2> value{"virtual", "real"};
};

} // namespace troupe
