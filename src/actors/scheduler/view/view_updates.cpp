#include "actors/scheduler/view/view_updates.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

bool view_updates::recharge(decided_placement& d) {
  const bool before = d.foreseen;
  d.foreseen = !tables_.setup.limits.coarse_detection ||
               d.version == tables_.charged.seen().version(d.machine);
  if (d.foreseen)
    tables_.charged.charge_again(d);
  return d.foreseen || !before;
}

template <class Wanted>
void view_updates::recharge(owner_id owner, commit_id after, const Wanted& wanted) {
  for (auto& c : tables_.commits.of(owner))
    if (c.is_unseen(after))
      for (auto& d : c.placements)
        if (wanted(d.machine) && !recharge(d))
          tables_.batch.foresee_without_grant(d.machine);
  for (auto& d : tables_.batch)
    if (wanted(d.machine))
      recharge(d);
}

void view_updates::recharge_machine(owner_id owner, commit_id after, machine_id only) {
  recharge(owner, after, [only](machine_id m) { return m == only; });
}

void view_updates::recount_tenants(const sync_update& update) {
  tables_.charged.tenants()->assign(update.owner, update.used);
  for (auto& c : tables_.commits.of(update.owner)) {
    c.charged = c.is_unseen(update.commits_seen);
    if (c.charged)
      for (const auto& d : c.placements)
        tables_.charged.tenants()->charge(update.owner, d.task.tenant(), d.task.demand);
  }
  for (const auto& d : tables_.batch)
    if (tables_.setup.owner_of_machine(d.machine) == update.owner)
      tables_.charged.charge_tenant(d.machine, d.task);
}

void view_updates::refresh(sync_update&& update, instant now) {
  tables_.counters.account_age(tables_.charged.seen(), now);
  if (tables_.charged.tenants() != nullptr)
    recount_tenants(update);
  refreshed_.clear();
  for (auto& snapshot : update.partitions) {
    const auto p = snapshot.partition;
    tables_.counters.note_age(tables_.charged.seen().age(p, now));
    ++tables_.counters.own().snapshots;
    tables_.charged.apply(std::move(snapshot), update.round);
    refreshed_.push_back(p);
  }
  // The snapshots do not know what has been decided on since the owner heard from us.
  recharge(update.owner, update.commits_seen, [&](machine_id m) {
    return std::ranges::find(refreshed_, tables_.setup.partition_of(m)) != refreshed_.end();
  });
  tables_.charged.note_gain();
}

void view_updates::learn(const commit_reply& reply) {
  if (!reply.rejections.empty() || !reply.machines.empty())
    tables_.charged.note_gain();
  if (!tables_.setup.learns_from_snapshots())
    return;
  for (const auto& m : reply.machines) {
    tables_.charged.correct(m.machine, m.free, m.version);
    recharge_machine(reply.owner, reply.id, m.machine);
  }
}

void view_updates::refuse(const open_commit& commit, const commit_reply& reply) {
  for (const auto& r : reply.rejections) {
    const auto& d = commit.placements.at(r.index);
    if (tables_.charged.tenants() != nullptr && commit.charged)
      tables_.charged.tenants()->refund(reply.owner, d.task.tenant(), d.task.demand);
    if (tables_.setup.learns_from_own_tasks()) {
      tables_.charged.take_off(d.machine, d.task);
      continue;
    }
    if (tables_.setup.learns_from_offers()) {
      tables_.offers.give_back(d.machine, d.task.demand, commit.offers);
      continue;
    }
    tables_.charged.correct(d.machine, r.free, r.version);
    if (d.foreseen)
      tables_.batch.foresee_without_grant(d.machine);
    recharge_machine(reply.owner, reply.id, d.machine);
  }
}

} // namespace troupe
