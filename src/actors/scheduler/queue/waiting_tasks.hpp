#pragma once

#include "actors/scheduler/queue/gang_waits.hpp"
#include "actors/scheduler/queue/waiting_line.hpp"
#include "actors/scheduler/scheduler_limits.hpp"
#include "model/cluster/present_capacity.hpp"
#include "model/jobs/job_book.hpp"
#include "model/jobs/retry_queue.hpp"
#include "model/view/view.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

namespace troupe {

/// The tasks of a scheduler that wait for a place: those in the queue, refused tasks that may not
/// be tried again yet, gangs that found no room, and tasks that a decision has looked past.
class waiting_tasks {
public:
  /// `tenants` and `machines`, if any, must outlive this. A discipline needs the machines.
  waiting_tasks(const scheduler_limits& limits, const tenant_shares* tenants,
                const catalog* machines = nullptr)
    : limits_(limits), jobs_(limits.aging, tenants), gangs_(limits.max_empty_attempts > 0) {
    if (limits.discipline != start_discipline::fit && machines != nullptr)
      line_.emplace(start_queue{limits.discipline, ordering_of(limits, tenants, *machines),
                                machines->columns(), machines->windows()},
                    machines->windows(), tenants);
    if (line_)
      line_->queue().choose_widths(limits.width);
  }

  waiting_tasks(const waiting_tasks&) = delete;
  waiting_tasks& operator=(const waiting_tasks&) = delete;

  /// The jobs that are not over, and the queue.
  job_book& jobs() { return jobs_; }
  const job_book& jobs() const { return jobs_; }

  gang_waits& gangs() { return gangs_; }
  const gang_waits& gangs() const { return gangs_; }

  /// What waits under a queue discipline, or null: where every task may start that finds room.
  waiting_line* line() { return line_ ? &*line_ : nullptr; }
  const waiting_line* line() const { return line_ ? &*line_ : nullptr; }

  // -- the queue ------------------------------------------------------------------------------

  /// Queues refused tasks again, at the head or at the back.
  void queue_again(const std::vector<waiting_task>& tasks) {
    if (limits_.retry.at_back)
      for (const auto& t : tasks)
        jobs_.put_at_back(t);
    else
      for (const auto& t : tasks | std::views::reverse)
        jobs_.put_back(t);
  }

  /// Lets refused tasks wait until `due` and until the view has reached every mark.
  void wait(std::vector<waiting_task> tasks, std::vector<refresh_mark> marks, instant due) {
    retries_.add(std::move(tasks), std::move(marks), due);
  }

  /// Queues the refused tasks again that have waited long enough.
  void queue_ready(const view& seen, instant now) {
    if (!retries_.empty())
      queue_again(retries_.take(now, seen));
  }

  /// Returns when tasks are to be tried again although nothing has become free; nothing if none is.
  std::optional<instant> next_due() const {
    const auto retry = retries_.next_due();
    const auto gang = line_ ? line_->next_due() : gangs_.next_due();
    const auto due = retry && gang ? std::min(*retry, *gang) : retry ? retry : gang;
    return opening_ && (!due || *opening_ < *due) ? opening_ : due;
  }

  /// Notes when windows of machines end next; nothing if none ends. Returns whether this time has
  /// changed, so that tasks may find a machine.
  bool note_opening(std::optional<instant> at) { return std::exchange(opening_, at) != at; }

  /// Looks past the task at the head: tasks behind it are tried. Returns false if as many as may be
  /// looked past have been.
  bool look_past() {
    if (passed_.size() == limits_.look_past)
      return false;
    passed_.push_back(jobs_.take_head());
    return true;
  }

  /// Puts the tasks back that were looked past.
  void end_look_past() {
    for (; !passed_.empty(); passed_.pop_back())
      jobs_.put_back(passed_.back());
  }

  // -- all that wait --------------------------------------------------------------------------

  /// Counts the tasks that wait, those included that wait for others of their job.
  std::uint64_t count() const {
    auto n = jobs_.waiting() + jobs_.blocked() + retries_.tasks() + (line_ ? line_->count() : 0);
    gangs_.all().visit_aside([&n](const waiting_task& t) { n += t.count(); });
    return n;
  }

  /// Returns whether any task waits for a place, those not counted that wait for others of their
  /// job.
  bool any() const {
    return jobs_.waiting() > 0 || retries_.tasks() > 0 || gangs_.all().any_aside() ||
           (line_ && line_->count() > 0);
  }

  /// Tells of all tasks that wait for a place.
  void visit(const waiting_visitor& tell) const {
    visit_without_line(tell);
    if (line_)
      line_->visit([&tell](const waiting_task& t) { tell(*t.of, t.submitted, t.count()); });
  }

  /// Tells of those that are not in the line of a discipline.
  void visit_without_line(const waiting_visitor& tell) const {
    jobs_.visit_waiting(tell);
    retries_.visit(tell);
    gangs_.all().visit_aside(
      [&tell](const waiting_task& t) { tell(*t.of, t.submitted, t.count()); });
  }

  /// Returns why a refused task waits before the next attempt; nothing if it does not wait.
  std::optional<retry_queue::wait> retry_of(const task_id& task) const {
    return retries_.find(task);
  }

  /// Calls `look(task, delayed)` for each refused task, or gang, that is not tried again yet.
  template <class Look>
  void visit_retries(Look look) const {
    retries_.visit_tasks(look);
  }

  /// Takes the retries of a job out.
  std::vector<waiting_task> drop_retries(job_id job) { return retries_.drop(job); }

private:
  static start_ordering ordering_of(const scheduler_limits& limits, const tenant_shares* tenants,
                                    const catalog& machines) {
    start_ordering by{limits.order, limits.factors, limits.aging, present_capacity(machines), {}};
    if (tenants != nullptr)
      by.use_of = [tenants](std::uint32_t tenant) { return tenants->use_of_due(tenant); };
    return by;
  }

  const scheduler_limits& limits_;
  job_book jobs_;
  retry_queue retries_;
  gang_waits gangs_;
  std::optional<waiting_line> line_;
  std::optional<instant> opening_;
  std::vector<waiting_task> passed_; ///< by the decision that is being made
};

} // namespace troupe
