#pragma once

#include "jobs/store/job_database.hpp"

#include <cstdint>
#include <optional>
#include <vector>

/// Pages of lists.
namespace troupe {

inline constexpr std::size_t usual_page = 100;
inline constexpr std::size_t longest_page = 1'000;

struct task_page {
  std::vector<task_row> tasks;
  std::optional<std::uint32_t> next; ///< where the next page begins; nothing: at the end
};

/// Returns tasks of a job from number `from` on, those too that have no row of their own. At most
/// 100,000 tasks are looked at, so that a page may be short, or even empty, before the end.
task_page tasks_of(job_database& store, std::uint64_t job, const std::vector<group_row>& groups,
                   std::uint32_t from, std::optional<task_state> state, std::size_t limit);

} // namespace troupe
