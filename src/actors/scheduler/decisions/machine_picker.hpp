#pragma once

#include "actors/scheduler/scheduler_tables.hpp"
#include "model/view/avoided_machines.hpp"
#include "policies/policy.hpp"

#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace troupe {

/// Picks machines for tasks by the scheduler's policy. It avoids machines that refused a task a
/// short while ago, as long as another machine fits. It does not ask the policy again for a demand
/// for which the policy has just found no machine.
class machine_picker {
public:
  machine_picker(scheduler_tables& tables, std::unique_ptr<placement_policy> policy)
    : tables_(tables), policy_(std::move(policy)) {}

  /// Takes another policy: it may find room although the former one did not.
  void change_policy(std::unique_ptr<placement_policy> policy) {
    policy_ = std::move(policy);
    tables_.rules.unblock();
  }

  /// Tells the policy the outcomes of its picks.
  void learn(std::span<const placement_outcome> outcomes) { policy_->learn(outcomes); }

  /// Returns a machine with room for a task, or nothing. A task that is picked for `alone` and
  /// finds none is not sought a machine for again before the view has gained.
  std::optional<machine_id> pick(const waiting_task& task, decision_context& context,
                                 bool alone = true);

  /// Returns a machine where tasks of lower priority can give way to a task, or nothing.
  std::optional<machine_id> preempt(const waiting_task& task, instant now);

  /// Adds machines of the same owner that a task may go to if its own machine refuses it.
  void add_alternatives(decided_placement& to, decision_context& context);

  /// Takes these machines back.
  void withdraw_alternatives(decided_placement& from);

  /// Keeps away from a machine that has refused a task.
  void keep_away(machine_id machine, instant now) {
    if (tables_.setup.limits.keep_away > duration::zero())
      avoided_.add(machine, now + tables_.setup.limits.keep_away);
  }

  /// Forgets the machines that have been kept away from long enough.
  void expire(instant now) { avoided_.expire(now); }

  /// Until when it keeps away from a machine; nothing if it does not.
  const avoided_machines& avoided() const { return avoided_; }

private:
  /// Adds to a request which machines are open to a task, by their windows, or leaves it as it is
  /// if there are no windows. Of those, a discipline says which of them the task may use.
  void heed_windows(const waiting_task& task, instant now, task_request& request);
  void note(const waiting_task& task, std::optional<machine_id> picked, bool preempts, instant now);

  scheduler_tables& tables_;
  std::unique_ptr<placement_policy> policy_;
  avoided_machines avoided_;
  machine_set tried_;                ///< scratch: machines that alternatives are not
  std::optional<open_classes> open_; ///< scratch: to the task that a machine is picked for
};

} // namespace troupe
