#pragma once

#include "model/base/choice.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace troupe {

/// How a Sparrow scheduler finds machines (Ousterhout et al., Sparrow, SOSP 2013, section 3).
enum class probing : std::uint8_t {
  random,   ///< not at all: tasks go to random machines
  per_task, ///< for each task a few machines are probed; it goes to the shortest queue
  batch,    ///< the probes of a job are put together; one task goes to each of the shortest queues
  late_binding, ///< reservations; the machines that come to them first are given the tasks
};

template <>
struct choice_names<probing> {
  static constexpr std::array<std::string_view, 4> value{"random", "per-task", "batch",
                                                         "late-binding"};
};

} // namespace troupe
