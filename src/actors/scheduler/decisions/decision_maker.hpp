#pragma once

#include "actors/scheduler/decisions/gang_decisions.hpp"
#include "actors/scheduler/decisions/machine_picker.hpp"
#include "actors/scheduler/decisions/placement_charger.hpp"
#include "actors/scheduler/queue/job_molder.hpp"
#include "actors/scheduler/queue/task_closer.hpp"
#include "actors/scheduler/scheduler_tables.hpp"
#include "actors/scheduler/view/line_capacity.hpp"

#include <optional>

namespace troupe {

/// Decides on a batch of tasks from the head of the queue on, at the scheduler's modelled speed,
/// or withdraws the batch again. It abandons tasks that no machine could ever hold.
class decision_maker {
public:
  decision_maker(scheduler_tables& tables, machine_picker& picker, placement_charger& charger,
                 gang_decisions& gangs, task_closer& ends)
    : tables_(tables),
      picker_(picker),
      charger_(charger),
      gangs_(gangs),
      ends_(ends),
      molder_(tables),
      room_(tables.setup, tables.charged) {}

  /// Decides on the next batch, which must be empty. The decision begins at `from`, or now without
  /// it. Returns how long it takes, or nothing if nothing can be placed.
  std::optional<duration> decide(instant now, std::optional<instant> from);

  /// Puts the batch back to the head of the queue.
  void withdraw(instant now);

private:
  bool has_next();
  /// Decides on tasks in the order of the queue, and on those behind them. Returns false if a gang
  /// has to wait for the next decision.
  bool place_queued(decision_context& context, duration& cost);
  /// The same under a queue discipline.
  bool place_in_line(waiting_line& line, decision_context& context, duration& cost);
  void take_in(waiting_line& line, instant now);
  bool may_place() const {
    return tables_.batch.has_room() && tables_.offers.has_room(tables_.batch.size());
  }
  void wake(instant now);
  bool possible(const waiting_task& task);
  void abandon_head(instant now);
  void name_impossible(const waiting_task& gang) const;
  /// Places the task at the head of the queue. Returns false if there is no machine for it.
  bool place(const waiting_task& head, decision_context& context, duration& cost);
  bool looks_anew(const waiting_task& task) const;

  scheduler_tables& tables_;
  machine_picker& picker_;
  placement_charger& charger_;
  gang_decisions& gangs_;
  task_closer& ends_;
  job_molder molder_;
  line_capacity room_;            ///< under a queue discipline
  job_id retried_ = ~job_id{0};   ///< whose refused tasks the decision was about last
  bool named_impossible_ = false; ///< a gang that the cluster cannot hold was named
};

} // namespace troupe
