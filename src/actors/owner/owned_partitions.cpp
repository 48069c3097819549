#include "actors/owner/owned_partitions.hpp"

#include <algorithm>

namespace troupe {

owned_partitions::owned_partitions(const catalog& machines, std::span<const partition_id> owned,
                                   conflict_detection detection, const ranking_options& ranking,
                                   bool names_versions)
  : machines_(&machines),
    part_of_(machines.partitions(), not_owned),
    tenants_(ranking.tenants > 1 ? ranking.tenants : 0),
    names_versions_(names_versions) {
  parts_.reserve(owned.size());
  for (auto p : owned) {
    part_of_[p] = static_cast<std::uint32_t>(parts_.size());
    parts_.emplace_back(machines, p, detection, ranking);
  }
}

std::optional<double> owned_partitions::utilization() const {
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

std::vector<resource_sum> owned_partitions::used_by_tenant() const {
  std::vector<resource_sum> used(tenants_);
  for (const auto& part : parts_)
    for (std::uint32_t t = 0; t < tenants_; ++t)
      used[t] += part.used_by_tenant()[t];
  return used;
}

std::vector<task_place> owned_partitions::running_of(scheduler_id scheduler,
                                                     bool evicted_too) const {
  std::vector<task_place> places;
  for (const auto& part : parts_) {
    for (const auto& [task, machine, _] : part.running_of(scheduler))
      places.push_back({task, machine});
    for (const auto& [_, gone] : part.leaving())
      if (evicted_too && gone.scheduler == scheduler)
        places.push_back({gone.task, gone.machine});
  }
  std::ranges::sort(places, {}, &task_place::task);
  return places;
}

std::span<const owned_partitions::due_snapshot>
owned_partitions::due(const sync_plan& plan, std::uint64_t n, std::uint32_t schedulers) {
  due_.clear();
  for (std::uint32_t i = 0; i < parts_.size(); ++i)
    plan.receivers(n, parts_[i].partition(), schedulers, [&](scheduler_id s) {
      due_.push_back({s, i});
    });
  std::ranges::sort(due_);
  return due_;
}

void owned_partitions::add_snapshot(sync_update& to, partition_state& part, instant now) {
  to.partitions.push_back(part.snapshot(now));
  if (names_versions_)
    to.partitions.back().version = version_of(part);
}

void owned_partitions::add_snapshots(sync_update& to, std::span<const due_snapshot> due,
                                     instant now) {
  to.partitions.reserve(due.size());
  for (const auto& [_, i] : due)
    add_snapshot(to, parts_[i], now);
  if (tenants_ > 0)
    to.used = used_by_tenant();
}

void owned_partitions::add_snapshots(sync_update& to, instant now) {
  for (auto& part : parts_)
    add_snapshot(to, part, now);
  if (tenants_ > 0 && !parts_.empty())
    to.used = used_by_tenant();
}

std::uint32_t owned_partitions::inconsistent() const {
  std::uint32_t wrong = 0;
  for (const auto& part : parts_)
    wrong += part.inconsistent();
  return wrong;
}

void owned_partitions::add_states(const commit_request& wanted, commit_reply& answer) const {
  for (auto& r : answer.rejections) {
    const auto machine = wanted.placements[r.index].machine;
    const auto* part = find(machine);
    if (!part)
      continue;
    r.version = part->version(machine);
    r.free = part->free(machine);
    if (names_versions_)
      r.partition_version = version_of(*part);
  }
  for (auto& m : answer.machines)
    if (const auto* part = find(m.machine)) {
      m.version = part->version(m.machine);
      m.free = part->free(m.machine);
    }
}

} // namespace troupe
