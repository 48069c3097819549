#pragma once

#include "model/explain/task_situation.hpp"
#include "model/jobs/tenants.hpp"
#include "model/jobs/waiting_task.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace troupe {

/// The queue of the waiting tasks of a scheduler: one lane for each priority and tenant, and lately
/// empty ones. Higher priorities go first; within a priority, the tenant that `tenant_shares` puts
/// first; within a tenant, first in, first out, with tasks that were put back at the head.
///
/// With ageing, one step of priority is worth `aging` of waiting: a task goes before a task of the
/// next higher priority that was submitted more than `aging` later.
class task_lanes {
public:
  /// With `aging` 0, priorities are strict. `tenants`, if any, must outlive this.
  task_lanes(duration aging, const tenant_shares* tenants)
    : aging_(to_seconds(aging)), tenants_(tenants) {}

  /// The number of tasks in the queue.
  std::uint64_t size() const { return size_; }

  /// The number of lanes.
  std::size_t lanes() const { return lanes_.size(); }

  /// Adds the tasks from index `first` on, up to `end`, of a job, which has to stay where it is:
  /// `group` is the group of the first one, which is the first task of that group. They count as
  /// submitted at `since`.
  void add(const job& of, std::size_t group, std::uint32_t first, std::uint32_t end, instant since);

  /// Puts a task at the head of its priority and tenant, or at the back.
  void put_back(const waiting_task& task);
  void put_at_back(const waiting_task& task);

  /// Returns whether there is a task that may be decided on: one whose tenant need not wait.
  bool has_next() {
    choose_again(); // another task may come first now
    return choose() != nullptr;
  }

  /// Returns whether another task of this job, from which the last one was taken, may be decided on
  /// before the turn of its tenant ends. If so, `head` is that task.
  bool continues(job_id job);

  /// The next task. There must be one.
  const waiting_task& head() { return choose()->head(); }

  waiting_task take_head();

  /// Has the next task chosen again: another one may come first.
  void choose_again() { chosen_ = nullptr; }

  /// Removes all tasks of a job. Slow.
  std::vector<waiting_task> drop(const job& of);

  /// Visits all tasks, several at a time.
  void visit(const waiting_visitor& tell) const;

  /// Returns whether its tenant's maximum holds a task back that it will admit later.
  bool waits_for_tenant(const waiting_task& task) const;

  /// Returns where a task of a job is; nothing if it is not here. Other tenants of its priority,
  /// which take turns with its own, do not count as ahead. Slow.
  std::optional<queue_position> position_of(const job& of, const task_id& task) const;

private:
  struct cursor {
    const job* from = nullptr;
    std::size_t group = 0;
    std::uint32_t in_group = 0;
    std::uint32_t index = 0;
    std::uint32_t end = 0;   ///< the index behind its last task
    std::size_t retries = 0; ///< if there is no job: this many tasks of `later`
    instant since{0};        ///< when its tasks were submitted

    std::uint64_t tasks() const { return retries > 0 ? retries : std::uint64_t{end} - index; }
  };

  /// The waiting tasks of one priority and one tenant.
  struct lane {
    std::deque<cursor> fresh; ///< jobs with tasks that have never been decided on, and retries
    std::deque<waiting_task> later;  ///< tasks put at the back
    std::vector<waiting_task> again; ///< tasks put back, the head last
    waiting_task next;               ///< the head of `fresh`, if `next_ready`
    bool next_ready = false;

    bool empty() const { return again.empty() && fresh.empty(); }
    const waiting_task& head();
    waiting_task take();
    void put_at_back(const waiting_task& task);
    void drop(job_id job, std::vector<waiting_task>& into);
  };

  struct lane_key {
    std::int32_t priority = 0;
    std::uint32_t tenant = 0;

    /// Higher priorities come first.
    friend bool operator<(const lane_key& a, const lane_key& b) {
      return a.priority != b.priority ? a.priority > b.priority : a.tenant < b.tenant;
    }
    friend bool operator==(const lane_key&, const lane_key&) = default;
  };

  using lane_map = std::map<lane_key, lane>; ///< a single tenant if there are no tenants

  lane& lane_of(const job& j);
  void drop_empty();
  lane* choose();
  bool ages_past(const lane_map::iterator& a, const lane_map::iterator& b) const;

  double aging_; ///< in s
  const tenant_shares* tenants_;
  lane_map lanes_;
  lane* latest_ = nullptr; ///< the lane of the last insertion, under `latest_key_`
  lane_key latest_key_;
  lane* chosen_ = nullptr;     ///< the lane whose head is next, if known
  lane* taken_from_ = nullptr; ///< by the last `take_head`
  std::uint64_t size_ = 0;
};

} // namespace troupe
