#pragma once

#include "actors/scheduler/decisions/decided_batch.hpp"
#include "actors/scheduler/scheduler_setup.hpp"
#include "model/jobs/tenants.hpp"
#include "model/view/own_share.hpp"
#include "model/view/preemption_view.hpp"
#include "model/view/view.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace troupe {

/// A scheduler's view of the machines, with the charges of its own tasks. It charges each task in
/// three places together: to the free resources, to the resources held by tasks of each priority
/// (with preemption), and to those used by each tenant (if there are several).
class charged_view {
public:
  /// All machines are idle at `now`; where resources are offered, and in a cluster that grows,
  /// nothing is free. `tenants` share
  /// the cluster, if there are several.
  charged_view(const scheduler_setup& setup, std::vector<tenant_quota> tenants, instant now);

  charged_view(const charged_view&) = delete;
  charged_view& operator=(const charged_view&) = delete;

  const view& seen() const { return view_; }

  /// The uses of the tenants, or null if there is one only.
  tenant_shares* tenants() { return tenants_.get(); }
  const tenant_shares* tenants() const { return tenants_.get(); }

  /// Returns whether the maximum of its tenant admits all tasks of a job together now.
  bool tenant_admits(const job& whole) const;

  /// What tasks of lower priority hold, or null without preemption.
  preemption_view* preemption() { return preemption_ ? &*preemption_ : nullptr; }

  /// Returns the pick of `choose()`, among the scheduler's own partitions first if it has a share.
  template <class Choose>
  auto pick(Choose choose) {
    return share_.pick(view_, choose);
  }

  /// Returns whether partitions that are hidden now may be shown again.
  bool shows_hidden() const { return share_.how() != sharing::hard; }

  // -- tasks ----------------------------------------------------------------------------------

  /// Charges a placement that was decided on.
  void charge(machine_id m, const waiting_task& task) {
    view_.take(m, task.demand);
    if (preemption_)
      preemption_->add(m, task.priority(), task.demand);
    if (tenants_)
      charge_tenant(m, task);
  }

  void charge_tenant(machine_id m, const waiting_task& task) {
    tenants_->charge(setup_.owner_of_machine(m), task.tenant(), task.demand);
  }

  /// Takes the latest charge of a machine back.
  void take_back(machine_id m, const waiting_task& task);

  /// Frees the resources of a task that has left its machine.
  void release(machine_id m, const waiting_task& task) {
    take_off(m, task);
    note_gain();
    if (tenants_)
      refund_tenant(m, task);
  }

  /// Frees the resources of a task, if the view learns this from ends.
  void end(machine_id m, const waiting_task& task) {
    if (setup_.learns_from_own_tasks())
      release(m, task);
    else if (setup_.learns_from_offers() && tenants_)
      refund_tenant(m, task);
  }

  /// Frees the resources of a task that has ended by itself, if a snapshot will also show this:
  /// tenants and preemption wait for the snapshot. Does nothing if its machine would have more than
  /// its capacity, since a report that was lost and repeated may arrive after the snapshot.
  void foresee_end(machine_id m, const resources& used) {
    auto after = view_.free(m);
    after += used;
    if (!setup_.machines.present_capacity(m).fits(after))
      return;
    view_.give(m, used);
    ++changes_;
    note_gain();
  }

  /// Frees the resources that a task was believed to use, but not its tenant's share.
  void take_off(machine_id m, const waiting_task& task) {
    view_.give(m, task.demand);
    if (preemption_)
      preemption_->remove(m, task.priority(), task.demand);
  }

  void refund_tenant(machine_id m, const waiting_task& task) {
    tenants_->refund(setup_.owner_of_machine(m), task.tenant(), task.demand);
  }

  /// Moves the charge of a task to another machine.
  void move(const waiting_task& task, machine_id from, machine_id to) {
    view_.give(from, task.demand);
    view_.take(to, task.demand);
    if (!preemption_)
      return;
    preemption_->remove(from, task.priority(), task.demand);
    preemption_->add(to, task.priority(), task.demand);
  }

  /// Charges a commit's placement once more, after the machine was refreshed without it.
  void charge_again(const decided_placement& d) { view_.take(d.machine, d.task.demand); }

  // -- machines -------------------------------------------------------------------------------

  void apply(partition_snapshot&& snapshot, std::uint64_t round);
  void correct(machine_id m, const resources& free, std::uint32_t version) {
    view_.correct(m, free, version);
    ++changes_;
  }

  /// Believes that there is nothing to be had by preemption where an owner has refused it.
  void note_refusal(machine_id m) {
    if (preemption_ && setup_.learns_from_snapshots())
      preemption_->clear(m);
  }

  /// Believes that nothing is free anywhere.
  void clear_all();
  void clear(std::span<const machine_id> machines) { view_.clear(machines); }
  void give(std::span<const machine_amount> amounts) { view_.give(amounts); }

  /// Notes that a machine has more than before, or less.
  void change_room(machine_id m, const resources& gain);

  /// Counts the changes of the view that are not charges of the scheduler's own tasks.
  std::uint64_t changes() const { return changes_; }

  // -- gains ----------------------------------------------------------------------------------

  /// Notes that more may have become free: gangs that found no room are tried again.
  void note_gain() { gained_ = true; }

  /// Has tenants share the machines that a growing cluster has now. Returns whether there are
  /// others than before.
  bool note_growth();

  /// Notes that machines have attributes that they had not before.
  void note_new_attributes() {
    view_.note_new_attributes();
    note_gain();
  }
  bool has_gained() const { return gained_; }

  /// Returns whether it has gained since the last call.
  bool take_gain() { return std::exchange(gained_, false); }

private:
  const scheduler_setup& setup_;
  own_share share_;
  view view_;
  std::optional<preemption_view> preemption_; ///< if the scheduler preempts
  std::unique_ptr<tenant_shares> tenants_;    ///< if there are several
  std::uint64_t growth_ = 0;                  ///< the version of the capacities that tenants share
  std::uint64_t changes_ = 0;
  bool gained_ = false;
};

} // namespace troupe
