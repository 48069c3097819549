#pragma once

#include "actors/scheduler/decisions/machine_picker.hpp"
#include "actors/scheduler/scheduler_tables.hpp"
#include "model/base/planted_faults.hpp"

#include <cstdint>

namespace troupe {

/// Adds placements to the batch that is decided on and charges them to the view, or takes them back
/// again. So the batch, the view, the rules and the transactions always have the same placements.
class placement_charger {
public:
  placement_charger(scheduler_tables& tables, machine_picker& picker)
    : tables_(tables), picker_(picker) {}

  /// Returns the transaction that a task belongs to: one for all tasks of a job that are decided on
  /// one after the other, and one for each gang.
  std::uint64_t open(const waiting_task& task) {
    if (!tables_.batch.empty() && tables_.transactions.latest_is_of(task.task.job) && !task.whole)
      return tables_.transactions.latest();
    return tables_.transactions.open(task, tables_.setup.limits.all_or_nothing);
  }

  /// Adds a placement. A part of a gang gets no alternatives before the whole gang has places.
  void add(const waiting_task& task, machine_id machine, std::uint64_t transaction,
           decision_context& context, bool preempts = false) {
    const auto& seen = tables_.charged.seen();
    const auto p = tables_.setup.partition_of(machine);
    tables_.batch.add(
      {task, machine, seen.version(machine), seen.age(p, context.now), preempts, transaction});
    if (tables_.setup.kills(*task.of, task.runtime))
      tables_.batch.back().task.runtime = task.of->estimate;
    if (planted(planted_fault::unscaled_width) && task.of->mold.requested > 0)
      tables_.batch.back().task.runtime = task.of->mold.runtime;
    auto& of = tables_.transactions[transaction];
    if (wants_alternatives() && !of.gang)
      picker_.add_alternatives(tables_.batch.back(), context);
    tables_.charged.charge(machine, task);
    if (auto* line = tables_.waiting.line()) {
      line->begin_run(task, machine, context.now);
      now_ = context.now;
    }
    tables_.rules.enter(*task.of, machine);
    ++of.tasks;
  }

  /// Adds alternatives to the placements from number `first` on.
  void add_alternatives(std::size_t first, decision_context& context) {
    if (wants_alternatives())
      for (auto i = first; i < tables_.batch.size(); ++i)
        picker_.add_alternatives(tables_.batch[i], context);
  }

  /// Takes the latest placement back.
  void take_back_last() {
    const auto& d = tables_.batch.back();
    tables_.rules.leave(*d.task.of, d.machine);
    tables_.charged.take_back(d.machine, d.task);
    if (auto* line = tables_.waiting.line())
      line->take_back_run(d.task.task, d.machine, now_);
    tables_.batch.drop_last();
  }

private:
  bool wants_alternatives() const {
    return tables_.setup.limits.candidates > 1 && !tables_.setup.learns_from_offers();
  }

  scheduler_tables& tables_;
  machine_picker& picker_;
  instant now_{0}; ///< of the latest placement, under a queue discipline
};

} // namespace troupe
