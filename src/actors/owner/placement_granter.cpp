#include "actors/owner/placement_granter.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace troupe {

namespace {

/// Held placements are not preempted: their tasks do not run yet.
constexpr auto held_priority = std::numeric_limits<std::int32_t>::max();

} // namespace

std::vector<rejection> rejections_of_all(const commit_request& wanted, conflict_cause cause) {
  std::vector<rejection> all;
  for (std::uint32_t i = 0; i < wanted.placements.size(); ++i)
    all.push_back({i, cause, no_scheduler, 0, {}});
  return all;
}

/// Returns whether a window of the machine begins before the task is expected to end.
bool placement_granter::is_closed_to(const placement& wanted) const {
  const auto* windows = on_->machines().windows();
  if (windows == nullptr || planted(planted_fault::ignored_windows))
    return false;
  const auto until = wanted.estimate > duration::zero()
                       ? now_ + wanted.estimate - machine_windows::slack
                       : instant::max();
  return !windows->admits(windows->class_of(wanted.machine), now_, until, wanted.tenant);
}

std::optional<rejection> placement_granter::grant(const placement& wanted) {
  auto* part = on_->find(wanted.machine);
  if (part == nullptr)
    return rejection{0, conflict_cause::moved, no_scheduler, 0, {}};
  if (is_closed_to(wanted))
    return rejection{0, conflict_cause::gone, no_scheduler, part->version(wanted.machine),
                     part->free(wanted.machine)};
  const bool may_be_undone = wanted_->mode != commit_mode::each;
  const auto before = may_be_undone ? part->claim_of(wanted.machine) : partition_state::claim{};
  auto refused = part->commit(wanted, wanted_->scheduler, now_);
  if (!refused) {
    if (may_be_undone)
      before_.push_back(before);
    const auto evicted = part->evicted();
    to_.evicted.insert(to_.evicted.end(), evicted.begin(), evicted.end());
    to_.granted.push_back(
      {wanted, part->latest_grant(), static_cast<std::uint32_t>(evicted.size())});
  }
  return refused;
}

std::optional<rejection> placement_granter::grant_somewhere(std::uint32_t index) {
  auto first = wanted_->placements[index];
  if (wanted_->mode != commit_mode::each)
    first.preempts = false; // evicted tasks could not be restored
  if (wanted_->mode == commit_mode::hold)
    first.priority = held_priority;
  auto refused = grant(first);
  if (!refused)
    return refused;
  for (const auto& other :
       std::ranges::equal_range(wanted_->alternatives, index, {}, &alternative::index)) {
    auto instead = first;
    instead.machine = other.machine;
    instead.seen_version = other.seen_version;
    to_.reply.machines.push_back({other.machine, 0, {}});
    if (grant(instead))
      continue;
    to_.reply.machines.push_back({first.machine, 0, {}});
    to_.reply.diversions.push_back({index, other.machine});
    return std::nullopt;
  }
  refused->index = index;
  return refused;
}

void placement_granter::grant_each() {
  for (std::uint32_t i = 0; i < wanted_->placements.size(); ++i)
    if (auto refused = grant_somewhere(i))
      to_.reply.rejections.push_back(*refused);
}

bool placement_granter::grant_together() {
  grant_each();
  auto& refused = to_.reply.rejections;
  if (refused.empty())
    return true;
  for (; !before_.empty(); before_.pop_back(), to_.granted.pop_back()) {
    const auto& latest = to_.granted.back();
    on_->find(latest.machine)->undo(latest, before_.back());
  }
  const auto causes = std::exchange(refused, rejections_of_all(*wanted_, conflict_cause::aborted));
  for (const auto& r : causes)
    refused[r.index] = r;
  to_.reply.diversions.clear();
  return false;
}

} // namespace troupe
