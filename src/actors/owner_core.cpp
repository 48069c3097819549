#include "actors/owner_core.hpp"

#include <algorithm>
#include <limits>

namespace troupe {

namespace {

constexpr auto not_ours = std::numeric_limits<std::uint32_t>::max();

} // namespace

owner_core::owner_core(owner_id id, const catalog& machines,
                       std::span<const partition_id> partitions, std::uint32_t schedulers,
                       conflict_detection detection, const owner_duties& duties, instant now)
  : id_(id),
    machines_(&machines),
    part_of_(machines.partitions(), not_ours),
    channels_(schedulers),
    tells_changes_(duties.tells_changes),
    names_versions_(duties.names_versions),
    tenants_(duties.ranking.tenants > 1 ? duties.ranking.tenants : 0),
    accounted_(now) {
  if (duties.tells_allocator)
    outbox_.emplace(id);
  parts_.reserve(partitions.size());
  for (auto p : partitions) {
    part_of_[p] = static_cast<std::uint32_t>(parts_.size());
    parts_.emplace_back(machines, p, detection, duties.ranking);
  }
}

const partition_state* owner_core::find(machine_id machine) const {
  if (machine >= machines_->machines())
    return nullptr;
  const auto i = part_of_[machines_->place_of(machine).partition];
  return i == not_ours ? nullptr : &parts_[i];
}

partition_state* owner_core::find(machine_id machine) {
  return const_cast<partition_state*>(std::as_const(*this).find(machine));
}

std::uint32_t owner_core::note_evicted(const partition_state& part, instant now) {
  for (const auto& e : part.evicted()) {
    evicted_.push_back(e);
    if (!survives_)
      tell_preempted(e, now);
  }
  return static_cast<std::uint32_t>(part.evicted().size());
}

void owner_core::tell_preempted(const evicted_task& gone, instant at) {
  ++sample_.evicted;
  if (gone.scheduler >= channels_.size())
    return;
  channels_[gone.scheduler].preempted.push_back({gone.task, gone.machine, at, gone.ran});
  ++news_;
}

sync_update owner_core::sync(const sync_plan& plan, std::uint64_t n, scheduler_id scheduler,
                             instant now) const {
  sync_update update{id_, n, channels_.at(scheduler).latest, {}};
  for (const auto& part : parts_)
    if (plan.sends(n, part.partition(), scheduler))
      add_snapshot(part, update, now);
  if (tenants_ > 0 && !update.partitions.empty())
    update.used = used_by_tenant();
  return update;
}

sync_update owner_core::sync_all(std::uint64_t n, scheduler_id scheduler, instant now) const {
  sync_update update{id_, n, channels_.at(scheduler).latest, {}};
  for (const auto& part : parts_)
    add_snapshot(part, update, now);
  if (tenants_ > 0)
    update.used = used_by_tenant();
  return update;
}

void owner_core::add_snapshot(const partition_state& part, sync_update& to, instant now) const {
  to.partitions.push_back(part.snapshot(now));
  if (names_versions_)
    to.partitions.back().version = version_of(part);
}

std::vector<resource_sum> owner_core::used_by_tenant() const {
  std::vector<resource_sum> used(tenants_);
  for (const auto& part : parts_)
    for (std::uint32_t t = 0; t < tenants_; ++t)
      used[t] += part.used_by_tenant()[t];
  return used;
}

void owner_core::tell(scheduler_id scheduler, const task_end& end) {
  if (scheduler >= channels_.size())
    return;
  channels_[scheduler].news.push_back(end);
  ++news_;
}

void owner_core::tell_all(const machine_change& change) {
  if (outbox_)
    outbox_->changed(change);
  if (!tells_changes_)
    return;
  for (auto& to : channels_)
    to.changes.push_back(change);
  news_ += channels_.size();
}

std::size_t owner_core::end(std::span<const task_end> ends, instant now) {
  account(now);
  std::size_t booked = 0;
  for (const auto& e : ends)
    if (const auto* part = find(e.machine))
      part->prefetch(e.machine, e.grant);
  for (const auto& e : ends) {
    auto* part = find(e.machine);
    if (const auto gone = part ? part->settle_evicted(e.machine, e.task, e.grant) : std::nullopt) {
      booked += survives_ && end_evicted(*gone, e);
      continue;
    }
    const auto ran = part ? part->end(e.machine, e.task, e.grant) : std::nullopt;
    if (!ran) {
      ++sample_.unknown_ends;
      continue;
    }
    ++sample_.ended;
    ++booked;
    tell(ran->scheduler, e);
    if (outbox_)
      outbox_->freed(e.machine, ran->scheduler, ran->demand);
  }
  return booked;
}

void owner_core::remove(machine_id machine, instant now) {
  account(now);
  auto* part = find(machine);
  if (part != nullptr && survives_)
    drop_evicted(*part, machine, now);
  if (part == nullptr || !part->is_present(machine))
    return;
  const auto had = part->capacity_of(machine);
  for (const auto& lost : part->remove(machine)) {
    if (hold_is_lost(lost, machine))
      continue;
    tell(lost.scheduler, {lost.task, machine, task_outcome::lost, now});
    if (outbox_)
      outbox_->freed(machine, lost.scheduler, lost.demand);
  }
  const bool whole = had == machines_->machine(machine).capacity;
  tell_all({machine, false, whole ? resources{} : resources{} - had});
}

void owner_core::restore(machine_id machine, instant now) {
  account(now);
  auto* part = find(machine);
  if (part == nullptr || part->is_present(machine))
    return;
  part->restore(machine);
  tell_all({machine, true});
}

std::vector<std::pair<scheduler_id, task_report>> owner_core::reports(instant now) {
  std::vector<std::pair<scheduler_id, task_report>> out;
  for (scheduler_id s = 0; s < channels_.size(); ++s) {
    auto& to = channels_[s];
    if (to.news.empty() && to.changes.empty() && to.preempted.empty())
      continue;
    task_report report{id_, ++to.reports, std::exchange(to.news, {}), std::exchange(to.changes, {}),
                       std::exchange(to.preempted, {})};
    to.unseen.push_back({now, report});
    out.emplace_back(s, std::move(report));
  }
  news_ = 0;
  return out;
}

std::vector<std::pair<scheduler_id, task_report>> owner_core::unseen(instant sent_before,
                                                                     instant now) {
  std::vector<std::pair<scheduler_id, task_report>> out;
  for (scheduler_id s = 0; s < channels_.size(); ++s)
    for (auto& sent : channels_[s].unseen)
      if (sent.at < sent_before) {
        sent.at = now;
        out.emplace_back(s, sent.what);
      }
  return out;
}

bool owner_core::has_unseen() const {
  return std::any_of(channels_.begin(), channels_.end(),
                     [](const channel& c) { return !c.unseen.empty(); });
}

void owner_core::seen(scheduler_id scheduler, std::uint64_t number) {
  auto& unseen = channels_.at(scheduler).unseen;
  while (!unseen.empty() && unseen.front().what.number <= number) {
    if (survives_) {
      const auto& ends = unseen.front().what.ends;
      seen_ends_.insert(seen_ends_.end(), ends.begin(), ends.end());
    }
    unseen.pop_front();
  }
}

/// The share in use, or nothing while there is no machine.
std::optional<double> owner_core::utilization() const {
  double weighted = 0;
  double machines = 0;
  bool any = false;
  for (const auto& part : parts_) {
    weighted += part.utilization() * part.size();
    machines += part.size();
    any = any || part.present() > 0;
  }
  return any ? std::optional{weighted / machines} : std::nullopt;
}

void owner_core::account(instant now) {
  const auto elapsed = to_seconds(now - accounted_);
  if (elapsed <= 0)
    return;
  if (const auto in_use = utilization()) {
    sample_.used_seconds += *in_use * elapsed;
    sample_.seconds += elapsed;
  }
  if (tenants_ > 0)
    account_tenants(elapsed);
  for (auto kind : machines_->columns()) {
    const auto k = static_cast<std::size_t>(kind);
    std::int64_t capacity = 0;
    std::int64_t used = 0;
    std::int64_t stranded = 0;
    for (const auto& part : parts_) {
      capacity += part.capacity().amount[k];
      used += part.used().amount[k];
      stranded += part.stranded().amount[k];
    }
    sample_.resources[k].merge({static_cast<double>(capacity) * elapsed,
                                static_cast<double>(used) * elapsed,
                                static_cast<double>(stranded) * elapsed});
  }
  accounted_ = now;
}

void owner_core::account_tenants(double elapsed) {
  const auto used = used_by_tenant();
  sample_.tenants.resize(tenants_);
  for (std::uint32_t t = 0; t < tenants_; ++t)
    sample_.tenants[t].over.add(used[t], elapsed);
}

owner_sample owner_core::take_sample(instant now) {
  account(now);
  auto sample = std::exchange(sample_, {});
  sample.tenants.resize(tenants_);
  const auto used = used_by_tenant();
  for (std::uint32_t t = 0; t < tenants_; ++t)
    sample.tenants[t].now = used[t];
  for (const auto& part : parts_) {
    sample.machines += part.present();
    sample.running += part.running();
    sample.capacity_weight += part.size();
  }
  return sample;
}

std::uint32_t owner_core::inconsistent() const {
  std::uint32_t wrong = 0;
  for (const auto& part : parts_)
    wrong += part.inconsistent();
  return wrong;
}

} // namespace troupe
