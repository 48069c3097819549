#pragma once

#include "actors/scheduler/decisions/machine_picker.hpp"
#include "actors/scheduler/scheduler_tables.hpp"

#include <optional>
#include <vector>

namespace troupe {

/// Books placements as granted or refused, one by one, and tells the policy of all that one answer
/// was about.
class placement_results {
public:
  placement_results(scheduler_tables& tables, machine_picker& picker)
    : tables_(tables), picker_(picker) {}

  /// Begins with another answer.
  void begin() { outcomes_.clear(); }

  /// The task runs. One that may run, but where is not known, is not counted as placed yet.
  void grant(const decided_placement& d, instant now) {
    if (tables_.failover)
      tables_.failover->running[d.task.task] = d.machine;
    tables_.counters.begin_run(d.task, now);
    ++tables_.transactions[d.transaction].granted;
    if (tables_.failover && tables_.failover->unsure.contains(d.task.task)) {
      if (auto* records = tables_.records())
        records->run_before(d.task.task, d.machine);
      return;
    }
    const auto delay = now - d.task.submitted;
    const auto task_class = tables_.rules.class_of(d.task);
    tables_.counters.placed(d, delay, task_class,
                            tables_.rules.violated(d.task, d.machine) || was_closed(d, now));
    if (d.diverted)
      ++tables_.counters.of(d.task.group()).attempts.diverted;
    if (auto* records = tables_.records())
      record_grant(*records, d, task_class, now);
    if (tables_.setup.limits.max_empty_attempts > 0)
      tables_.waiting.jobs().note_placed(d.task.task.job);
    outcomes_.push_back({d.task.task, d.machine, true, {}, delay});
  }

  /// The task has to be placed again.
  void refuse(const decided_placement& d, const rejection& why, instant now) {
    auto& attempts = tables_.counters.of(d.task.group()).attempts;
    auto& of = tables_.transactions[d.transaction];
    attempts.wasted += of.cost / of.tasks;
    tables_.charged.note_refusal(d.machine);
    if (auto* line = tables_.waiting.line())
      line->end_run(d.task.task, now);
    tables_.rules.leave(*d.task.of, d.machine);
    if (auto* records = tables_.records())
      record_refusal(*records, d, why, now);
    outcomes_.push_back({d.task.task, d.machine, false, why.cause, duration{0}});
    if (why.cause == conflict_cause::aborted) {
      ++attempts.aborted;
      return;
    }
    of.conflicted = true;
    picker_.keep_away(d.machine, now);
    tables_.counters.conflict(d, why.cause);
  }

  /// The task has, or is held, another machine, which the placement names from now on.
  void divert(decided_placement& d, machine_id to, instant now) {
    picker_.keep_away(d.machine, now);
    if (auto* records = tables_.records())
      records->divert(d.task.task);
    tables_.rules.leave(*d.task.of, d.machine);
    if (tables_.setup.learns_from_own_tasks())
      tables_.charged.move(d.task, d.machine, to);
    d.machine = to;
    tables_.rules.enter(*d.task.of, to);
    d.diverted = true;
  }

  /// Tells the policy.
  void tell() { picker_.learn(outcomes_); }

private:
  /// Whether windows have kept the task away from its machine since it waits.
  bool was_closed(const decided_placement& d, instant now) const {
    const auto* windows = tables_.setup.machines.windows();
    return windows != nullptr &&
           !windows->lets_start(windows->class_of(d.machine), d.task.submitted, now,
                                d.task.of->estimate, d.task.tenant());
  }

  void record_grant(record_book& records, const decided_placement& d, std::uint32_t task_class,
                    instant now) const {
    const auto& setup = tables_.setup;
    records.grant(d.task.task,
                  {d.machine, d.task.submitted, now, setup.machines.score(d.machine, task_class),
                   setup.learns_from_snapshots() ? d.age : unknown_time});
  }

  void record_refusal(record_book& records, const decided_placement& d, const rejection& why,
                      instant now) const {
    attempt_record refusal;
    refusal.at = now;
    refusal.task = d.task.task;
    refusal.attempt = d.task.attempts + 1;
    refusal.owner = tables_.setup.owner_of_machine(d.machine);
    refusal.machine = d.machine;
    refusal.cause = why.cause;
    refusal.winner = why.winner;
    refusal.view_age = tables_.setup.learns_from_snapshots() ? d.age : unknown_time;
    refusal.free = why.free;
    refusal.asked = d.task.demand;
    records.refuse(refusal);
  }

  scheduler_tables& tables_;
  machine_picker& picker_;
  std::vector<placement_outcome> outcomes_; ///< of the answer
};

} // namespace troupe
