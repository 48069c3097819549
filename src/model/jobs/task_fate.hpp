#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace troupe {

/// The final outcome of a task. The fate of a job is the greatest of its tasks' fates: a job has
/// finished if all its tasks have finished.
enum class task_fate : std::uint8_t {
  finished,  ///< ended by itself
  failed,    ///< ended with an error
  lost,      ///< lost with its machine and not run again
  abandoned, ///< given up before it was placed
};

inline constexpr std::size_t task_fates = 4;

inline std::string to_string(task_fate fate) {
  constexpr const char* names[] = {"finished", "failed", "lost", "abandoned"};
  const auto i = static_cast<std::size_t>(fate);
  return i < task_fates ? names[i] : "?";
}

} // namespace troupe
