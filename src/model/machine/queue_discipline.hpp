#pragma once

#include "model/base/choice.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace troupe {

/// The order of service in a machine's queue.
enum class queue_discipline : std::uint8_t {
  fifo,     ///< first in, first out
  priority, ///< strictly by priority; first in, first out among equals
  fair,     ///< between tenants by their weights; first in, first out within each
};

template <>
struct choice_names<queue_discipline> {
  static constexpr std::array<std::string_view, 3> value{"fifo", "priority", "fair"};
};

} // namespace troupe
