#pragma once

#include "model/base/choice.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace troupe {

/// What a run records of its jobs: nothing, a row for each job, or a row for each task as well.
enum class record_level : std::uint8_t { none, jobs, tasks };

template <>
struct choice_names<record_level> {
  static constexpr std::array<std::string_view, 3> value{"none", "jobs", "tasks"};
};

} // namespace troupe
