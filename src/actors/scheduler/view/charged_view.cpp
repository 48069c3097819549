#include "actors/scheduler/view/charged_view.hpp"

#include "model/cluster/present_capacity.hpp"

#include <cstdlib>

namespace troupe {

namespace {

/// What tenants share. A scheduler that knows its own tasks only can share out its own machines
/// only.
resource_sum shared_capacity(const scheduler_setup& setup) {
  const auto& share = setup.limits.share;
  const bool own = setup.learns_from_own_tasks() && share.how() == sharing::hard;
  return own ? present_capacity(setup.machines, share.own()) : present_capacity(setup.machines);
}

std::unique_ptr<tenant_shares> shares_of(std::vector<tenant_quota> tenants,
                                         const scheduler_setup& setup) {
  if (tenants.size() < 2)
    return nullptr;
  return std::make_unique<tenant_shares>(std::move(tenants), shared_capacity(setup), setup.owners(),
                                         setup.machines.grows());
}

} // namespace

charged_view::charged_view(const scheduler_setup& setup, std::vector<tenant_quota> tenants,
                           instant now)
  : setup_(setup),
    share_(setup.limits.share),
    view_(setup.machines, now),
    tenants_(shares_of(std::move(tenants), setup)) {
  if (setup.limits.preemption)
    preemption_.emplace(setup.machines);
  share_.begin(view_);
  if (setup.learns_from_offers() || setup.machines.grows())
    clear_all();
}

bool charged_view::note_growth() {
  const auto& growth = setup_.machines.growth();
  if (!tenants_ || !growth || growth_ == growth->capacity_version())
    return false;
  growth_ = growth->capacity_version();
  tenants_->set_capacity(shared_capacity(setup_));
  ++changes_;
  note_gain();
  return true;
}

bool charged_view::tenant_admits(const job& whole) const {
  if (!tenants_)
    return true;
  resource_sum need;
  for (const auto& group : whole.groups)
    for (std::size_t k = 0; k < resource_kinds; ++k)
      need.amount[k] += std::int64_t{group.demand.amount[k]} * group.count;
  return tenants_->may_use(whole.tenant, need);
}

void charged_view::clear_all() {
  ++changes_;
  for (machine_id m = 0; m < setup_.machines.machines(); ++m)
    view_.correct(m, {}, 0);
}

void charged_view::take_back(machine_id m, const waiting_task& task) {
  view_.give_back(m, task.demand);
  if (preemption_)
    preemption_->remove(m, task.priority(), task.demand);
  if (tenants_)
    refund_tenant(m, task);
}

void charged_view::apply(partition_snapshot&& snapshot, std::uint64_t round) {
  if (preemption_)
    preemption_->assign(snapshot.partition, snapshot.held);
  view_.apply(std::move(snapshot), round);
  ++changes_;
}

void charged_view::change_room(machine_id m, const resources& gain) {
  ++changes_;
  // Charges of tasks stay: they are given back when the tasks leave.
  resources more;
  resources less;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    (gain.amount[k] > 0 ? more : less).amount[k] = std::abs(gain.amount[k]);
  if (!more.is_zero()) {
    view_.give(m, more);
    note_gain();
  }
  if (!less.is_zero())
    view_.take(m, less);
}

} // namespace troupe
