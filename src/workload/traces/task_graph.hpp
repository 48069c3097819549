#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// The dependencies between the tasks of a job, as Alibaba's traces of 2018 encode them in names.
namespace troupe {

/// The parsed name of a task.
struct task_name {
  std::uint32_t number = 0;             ///< of the task, within the job
  std::vector<std::uint32_t> parents{}; ///< the numbers of the tasks that it waits for

  friend bool operator==(const task_name&, const task_name&) = default;
};

/// Reads a name like "M5_3_4", a task with number 5 that waits for 3 and 4, or "R2_1_Stg3". Returns
/// nothing for other names; tasks with such names wait for nothing. Names of 50 characters are
/// truncated: their last number is ignored.
std::optional<task_name> parse_task_name(std::string_view name);

/// The dependencies of the tasks of a job.
struct task_graph {
  std::vector<std::uint32_t> order; ///< the tasks, each after those that it waits for
  std::vector<std::vector<std::uint32_t>> parents; ///< by task: the tasks that it waits for
  std::uint32_t unknown = 0;  ///< dependencies ignored because no task has the number
  std::uint32_t circular = 0; ///< dependencies ignored because they close a cycle

  /// Computes the dependencies between tasks with these names, by their index in `names`. Several
  /// tasks may have one number; a task that waits for this number waits for all of them. In a cycle
  /// of tasks, the first task waits for none of the others.
  static task_graph of(const std::vector<std::optional<task_name>>& names);
};

} // namespace troupe
