#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// The dependencies between the tasks of a job, as Alibaba's traces of 2018 put them into names.
namespace troupe {

/// What a task's name says of it.
struct task_name {
  std::uint32_t number = 0;             ///< its own, within the job
  std::vector<std::uint32_t> parents{}; ///< the numbers of those it waits for

  friend bool operator==(const task_name&, const task_name&) = default;
};

/// Reads a name like "M5_3_4", a task with number 5 that waits for 3 and 4, or "R2_1_Stg3"; returns
/// nothing for names of other kinds, of tasks that wait for nothing. Names of 50 characters are cut
/// off: the last number in them is left out.
std::optional<task_name> parse_task_name(std::string_view name);

/// How the tasks of a job follow each other.
struct task_graph {
  std::vector<std::uint32_t> order;                ///< the tasks, none before one it waits for
  std::vector<std::vector<std::uint32_t>> parents; ///< by task: what it waits for
  std::uint32_t unknown = 0;  ///< dependencies left out, for no task has the number
  std::uint32_t circular = 0; ///< dependencies left out, for they close a circle

  /// Works out the dependencies between tasks with these names, by their place in `names`. Several
  /// tasks may have one number; who waits for it waits for all of them. Of tasks that wait for each
  /// other in a circle, the first one waits for none of those.
  static task_graph of(const std::vector<std::optional<task_name>>& names);
};

} // namespace troupe
