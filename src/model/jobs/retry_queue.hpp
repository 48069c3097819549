#pragma once

#include "model/jobs/job_book.hpp"
#include "model/view/view.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// A version of a partition that a view has to reach.
struct refresh_mark {
  partition_id partition = 0;
  std::uint64_t version = 0;
};

/// Refused tasks that may not be retried yet. Each group of them waits until an instant, and then
/// until a view is new enough (the RefreshIndex of HashiCorp Nomad's plan results).
class retry_queue {
public:
  /// Counts the waiting tasks.
  std::uint64_t tasks() const;

  bool empty() const { return timed_.empty() && stale_.empty(); }

  /// Lets `tasks` wait until `due` and until the view has reached every mark.
  void add(std::vector<waiting_task> tasks, std::vector<refresh_mark> marks, instant due);

  /// Removes and returns the tasks that have waited long enough, in the order in which their delays
  /// ended.
  std::vector<waiting_task> take(instant now, const view& seen);

  /// Returns when the next delay ends, or nothing if no task waits for a delay.
  std::optional<instant> next_due() const;

  /// What a task waits for.
  struct wait {
    instant due{0};        ///< the end of its delay
    std::size_t marks = 0; ///< partitions of which the view has to be newer
  };

  /// Returns why a task in this queue waits; nothing if it is not here.
  std::optional<wait> find(const task_id& task) const;

  /// Visits all tasks in this queue.
  void visit(const waiting_visitor& tell) const;

  /// Calls `look(task, delayed)` for each task, or gang, in this queue; `delayed`: its delay has
  /// not ended.
  template <class Look>
  void visit_tasks(Look look) const {
    for (const auto& [_, e] : timed_)
      for (const auto& t : e.tasks)
        look(t, true);
    for (const auto& e : stale_)
      for (const auto& t : e.tasks)
        look(t, false);
  }

  /// Removes and returns all tasks of a job.
  std::vector<waiting_task> drop(job_id job);

private:
  struct entry {
    std::vector<waiting_task> tasks;
    std::vector<refresh_mark> marks;
  };

  std::multimap<instant, entry> timed_; ///< by the end of the delay, then by arrival
  std::vector<entry> stale_;            ///< the delay has ended, the view is too old
};

} // namespace troupe
