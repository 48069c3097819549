#pragma once

#include "model/base/choice.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace troupe {

/// The built-in scheduler actors: the values of scheduler.actor besides the names of plugins.
enum class builtin_scheduler : std::uint8_t {
  placing, ///< places tasks on a view
  sparrow, ///< probes machines
  hybrid,  ///< schedulers of both kinds, in each group
};

template <>
struct choice_names<builtin_scheduler> {
  static constexpr std::array<std::string_view, 3> value{"placing", "sparrow", "hybrid"};
};

/// Returns which built-in scheduler actor has a name; nothing for the actor of a plugin.
constexpr std::optional<builtin_scheduler> builtin_scheduler_of(std::string_view actor) {
  return choice_named<builtin_scheduler>(actor);
}

} // namespace troupe
