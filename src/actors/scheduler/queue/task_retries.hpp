#pragma once

#include "actors/scheduler/queue/task_closer.hpp"
#include "actors/scheduler/scheduler_tables.hpp"
#include "model/base/planted_faults.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace troupe {

/// Has refused tasks wait for their next attempt, or abandons them after too many, and closes
/// transactions of which all commits have been answered.
class task_retries {
public:
  task_retries(scheduler_tables& tables, task_closer& ends) : tables_(tables), ends_(ends) {}

  /// Tries refused tasks of a transaction again after the delays of the retry rule and of
  /// contention, and when the view has reached the marks.
  void retry(std::vector<waiting_task>& tasks, std::vector<refresh_mark>& marks,
             const transaction& of, instant now) {
    if (planted(planted_fault::dropped_rejection))
      return;
    const auto& limits = tables_.setup.limits;
    const bool drops = limits.max_empty_attempts > 0 || tables_.failover;
    const auto at_least =
      contends(of) ? of.contention_delay(tasks.front().attempts, tables_.random) : duration::zero();
    std::uint32_t refusals = 0;
    std::erase_if(tasks, [&](waiting_task& t) {
      ++t.attempts;
      if ((limits.max_attempts > 0 && t.attempts >= limits.max_attempts) ||
          (drops && tables_.waiting.jobs().given_up(t.task.job))) {
        ends_.abandon(t, &task_counts::in_commit, now);
        return true;
      }
      tables_.counters.move(t.group(), &task_counts::in_commit, &task_counts::queued, t.count());
      refusals = std::max(refusals, t.attempts);
      return false;
    });
    if (tasks.empty())
      return;
    const auto delay = std::max(at_least, limits.retry.delay_after(refusals, tables_.random));
    if (auto* records = tables_.records())
      record_retries(*records, tasks, now + delay,
                     !marks.empty()             ? wait_reason::waits_for_refresh
                     : delay > duration::zero() ? wait_reason::backing_off
                                                : wait_reason::behind_others);
    if (delay == duration::zero() && marks.empty()) {
      tables_.waiting.queue_again(tasks);
    } else {
      for (const auto& t : tasks)
        if (auto* watch = tables_.watching(t.task.job)) {
          auto& e = watch->note(watched::waits_until, tables_.setup.id, t.task.index);
          e.since = now + delay;
          e.count = marks.size();
        }
      tables_.waiting.wait(std::move(tasks), std::move(marks), now + delay);
    }
  }

  /// Notes that all commits of a transaction have been answered.
  void close(std::uint64_t transaction, instant now) {
    auto& done = tables_.transactions.end(transaction);
    if (auto& back = done.back; !back.empty()) {
      std::ranges::sort(back, {}, [](const waiting_task& t) { return t.task; });
      if (done.gang && done.granted == 0) {
        back.resize(1);
        back.front().whole = true;
        back.front().opens_job = false;
      }
      retry(back, done.marks, done, now);
    }
    count_attempt(done, now);
    tables_.transactions.drop_over();
  }

private:
  /// Returns whether the tasks of a transaction might be refused without end if they were tried
  /// again at once. Schedulers that hold resources of several owners can refuse each other in step.
  /// A view that does not learn from refusals is wrong until a message of the owner arrives.
  bool contends(const transaction& of) const {
    return of.mode == commit_mode::hold || !tables_.setup.learns_from_snapshots();
  }

  static void record_retries(record_book& records, const std::vector<waiting_task>& tasks,
                             instant at, wait_reason why) {
    for (const auto& t : tasks)
      for (std::uint32_t i = 0; i < t.count(); ++i)
        records.retry({t.task.job, t.task.index + i}, at, why);
  }

  void count_attempt(const transaction& done, instant now) {
    auto& attempts = tables_.counters.of(done.group).attempts;
    ++attempts.transactions;
    attempts.conflicted += done.conflicted;
    if (done.gang && done.granted > 0) {
      ++attempts.gangs_placed;
      attempts.gangs_broken += done.granted < done.tasks;
    }
    if (done.granted == 0)
      ends_.empty_attempt(done.job, now);
  }

  scheduler_tables& tables_;
  task_closer& ends_;
};

} // namespace troupe
