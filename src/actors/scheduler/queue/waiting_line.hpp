#pragma once

#include "model/discipline/start_queue.hpp"
#include "model/jobs/job_book.hpp"
#include "model/view/machine_filter.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace troupe {

/// The tasks and gangs that wait under a queue discipline, and the discipline's knowledge of the
/// running ones. A task whose turn has come is in hand until it has been placed or comes back.
class waiting_line {
public:
  /// `windows` of the machines, if any, must outlive this; the queue must know of them. `tenants`,
  /// if any, must, too.
  explicit waiting_line(start_queue queue, const machine_windows* windows = nullptr,
                        const tenant_shares* tenants = nullptr)
    : queue_(std::move(queue)), windows_(windows), tenants_(tenants) {}

  start_queue& queue() { return queue_; }
  const start_queue& queue() const { return queue_; }

  // -- what waits -----------------------------------------------------------------------------

  /// Takes in a task, or the gang that it represents.
  void add(const waiting_task& task, instant now);

  /// Counts the tasks, without those in hand.
  std::uint64_t count() const { return count_; }

  /// Calls `visit(task)` for each, in the order of the queue; those that are held back come last.
  template <class Visit>
  void visit(Visit visit) const {
    queue_.visit([&](const start_request& r) {
      if (const auto task = tasks_.find(r.first); task != tasks_.end())
        visit(task->second);
    });
    for (const auto& t : held_)
      visit(t);
  }

  /// Calls `tell(request)` for each. Samples look at all that wait, in the order of the queue: a
  /// look at the task of each, or its job, would take several times as long.
  template <class Tell>
  void visit_requests(Tell tell) const {
    const bool in_hand = queue_.size() != tasks_.size();
    queue_.visit([&](const start_request& r) {
      if (!in_hand || tasks_.contains(r.first))
        tell(r);
    });
    for (const auto& t : held_)
      tell(request_of(t));
  }

  /// Returns where a task is in the line; nothing if it is not there, or held back.
  std::optional<queue_position> position_of(const waiting_task& task) const;

  /// Returns whether a task waits although there is enough for it, because it would take resources
  /// that are reserved for an earlier task.
  bool is_held_up(const waiting_task& task) const;

  /// Returns whether its tenant's maximum holds back a task, or the gang that it belongs to.
  bool waits_for_tenant(const waiting_task& task) const;

  /// Takes out all tasks of a job, but those in hand. Slow.
  std::vector<waiting_task> drop(job_id job, instant now);

  // -- the next one ---------------------------------------------------------------------------

  /// Begins a decision. `gained`: a task that found no machine may find one now.
  void begin(instant now, bool gained);

  /// Takes the task in hand that may start next, or nothing.
  std::optional<waiting_task> next(instant now);

  /// The task in hand has been placed, has found no place, or waits for the next decision.
  void started(instant now) { queue_.started(now); }
  void has_no_place(const waiting_task& task, instant now);
  void leave(const waiting_task& task) { keep(task); }

  /// The maximum of its tenant does not admit the task in hand. It waits until something has
  /// changed that the discipline does not know of, and loses its reservation meanwhile. A moldable
  /// job that is wider than the maximum ever admits tries its narrower widths instead.
  void hold_back(const waiting_task& task, instant now);

  /// Returns when a decision is due although nothing has changed.
  std::optional<instant> next_due() const { return due_; }

  /// Notes that the decision has found nothing more to place.
  void end(instant now);

  // -- what runs ------------------------------------------------------------------------------

  /// Tells which classes of machines, by their windows, the task in hand may use.
  void open(open_classes& classes) const;

  /// Notes that a task in hand has a machine from now on, or has none after all.
  void begin_run(const waiting_task& task, machine_id m, instant now);
  void take_back_run(const task_id& task, machine_id m, instant now);

  /// Notes that a task has been running since an unknown instant.
  void resume_run(const waiting_task& task, machine_id m);

  void end_run(const task_id& task, instant at) { queue_.end_run(task, at); }

private:
  /// If no machines were found although the sum is enough, another attempt may find them.
  static constexpr duration patience = std::chrono::seconds{1};

  static start_request request_of(const waiting_task& task);
  static void add_shapes(const job& of, start_request& to);
  void leave_out_too_wide(start_request& what) const;

  /// Returns the first task of the request that a task belongs to.
  task_id request_with(const waiting_task& task) const;
  void keep(const waiting_task& task);
  std::uint32_t pool_of(machine_id m) const;

  start_queue queue_;
  const machine_windows* windows_;
  const tenant_shares* tenants_;
  std::unordered_map<task_id, waiting_task> tasks_; ///< by the first task of each request
  std::vector<waiting_task> held_;
  std::unordered_set<task_id> held_firsts_; ///< of these
  std::uint64_t count_ = 0;
  instant now_{0}; ///< of the latest decision
  std::optional<instant> due_;
  std::optional<instant> retry_at_;
};

} // namespace troupe
