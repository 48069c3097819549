#include "actors/owner_core.hpp"

#include <algorithm>
#include <limits>

// How an owner takes commits: the part of owner_core that grants.
namespace troupe {

namespace {

/// What is held gives way to nobody: it does not run yet.
constexpr auto held_priority = std::numeric_limits<std::int32_t>::max();

} // namespace

std::optional<rejection> owner_core::grant(const placement& wanted, scheduler_id scheduler,
                                           instant now, std::vector<granted_placement>& granted) {
  auto* part = find(wanted.machine);
  auto refused = part ? part->commit(wanted, scheduler, now)
                      : rejection{0, conflict_cause::moved, no_scheduler, 0, {}};
  if (!refused) {
    const auto evicted = part->evicted().empty() ? 0 : note_evicted(*part, now);
    granted.push_back({wanted, part->latest_grant(), evicted});
  }
  return refused;
}

std::optional<rejection> owner_core::grant_somewhere(const commit_request& wanted,
                                                     std::uint32_t index, instant now,
                                                     std::vector<granted_placement>& granted,
                                                     commit_reply& reply) {
  auto first = wanted.placements[index];
  if (wanted.mode != commit_mode::each)
    first.preempts = false; // what had to leave could not come back
  if (wanted.mode == commit_mode::hold)
    first.priority = held_priority;
  auto refused = grant(first, wanted.scheduler, now, granted);
  if (!refused)
    return refused;
  const auto others = std::ranges::equal_range(wanted.alternatives, index, {}, &alternative::index);
  for (const auto& other : others) {
    auto instead = first;
    instead.machine = other.machine;
    instead.seen_version = other.seen_version;
    reply.machines.push_back({other.machine, 0, {}});
    if (grant(instead, wanted.scheduler, now, granted))
      continue;
    reply.machines.push_back({wanted.placements[index].machine, 0, {}});
    reply.diversions.push_back({index, other.machine});
    return std::nullopt;
  }
  refused->index = index;
  return refused;
}

void owner_core::grant_each(const commit_request& wanted, instant now,
                            std::vector<granted_placement>& granted, commit_reply& reply) {
  for (std::uint32_t i = 0; i < wanted.placements.size(); ++i)
    if (auto refused = grant_somewhere(wanted, i, now, granted, reply))
      reply.rejections.push_back(*refused);
}

bool owner_core::grant_together(const commit_request& wanted, instant now,
                                std::vector<granted_placement>& granted, commit_reply& reply) {
  const auto first = granted.size();
  std::vector<partition_state::claim> before;
  for (std::uint32_t i = 0; i < wanted.placements.size(); ++i) {
    const auto given = granted.size();
    // Of a machine that an alternative may be granted on, too.
    std::vector<std::pair<machine_id, partition_state::claim>> claims;
    const auto note = [&](machine_id m) {
      if (const auto* part = find(m))
        claims.emplace_back(m, part->claim_of(m));
    };
    note(wanted.placements[i].machine);
    for (const auto& other :
         std::ranges::equal_range(wanted.alternatives, i, {}, &alternative::index))
      note(other.machine);
    if (auto refused = grant_somewhere(wanted, i, now, granted, reply))
      reply.rejections.push_back(*refused);
    if (granted.size() > given)
      before.push_back(std::ranges::find(claims, granted.back().machine, [](const auto& c) {
                         return c.first;
                       })->second);
  }
  if (reply.rejections.empty())
    return true;
  while (granted.size() > first) {
    find(granted.back().machine)->undo(granted.back(), before.back());
    granted.pop_back();
    before.pop_back();
  }
  std::vector<rejection> all;
  auto refused = reply.rejections.begin();
  for (std::uint32_t i = 0; i < wanted.placements.size(); ++i)
    if (refused != reply.rejections.end() && refused->index == i)
      all.push_back(*refused++);
    else
      all.push_back({i, conflict_cause::aborted, no_scheduler, 0, {}});
  reply.rejections = std::move(all);
  reply.diversions.clear();
  return false;
}

void owner_core::launch(const commit_request& wanted, instant now,
                        std::vector<granted_placement>& granted, commit_reply& reply) {
  auto& from = channels_[wanted.scheduler];
  const auto held = from.holds.find(wanted.settles);
  if (held == from.holds.end()) {
    grant_together(wanted, now, granted, reply);
    return;
  }
  for (std::size_t i = 0; i < held->second.size(); ++i) {
    auto& p = held->second[i];
    if (p.grant != no_grant) {
      p.priority = wanted.placements.at(i).priority;
      find(p.machine)->rank_again(p.machine, p.grant, p.priority);
      granted.push_back(p);
    } else {
      tell(wanted.scheduler, {p.task, p.machine, task_outcome::lost, now});
      if (outbox_)
        outbox_->freed(p.machine, wanted.scheduler, p.demand);
    }
  }
  from.holds.erase(held);
  --holds_;
}

void owner_core::give_up(std::vector<granted_placement>& held) {
  for (const auto& p : held)
    if (p.grant != no_grant)
      find(p.machine)->end(p.machine, p.task, p.grant);
  --holds_;
}

void owner_core::release(const commit_request& wanted, commit_reply& reply) {
  auto& from = channels_[wanted.scheduler];
  if (const auto held = from.holds.find(wanted.settles); held != from.holds.end()) {
    give_up(held->second);
    from.holds.erase(held);
  }
  for (std::uint32_t i = 0; i < wanted.placements.size(); ++i)
    reply.rejections.push_back({i, conflict_cause::aborted, no_scheduler, 0, {}});
}

std::size_t owner_core::release_silent(instant heard_before, instant now) {
  account(now);
  std::size_t released = 0;
  for (auto& from : channels_) {
    if (from.heard >= heard_before)
      continue;
    released += from.holds.size();
    for (auto& [_, held] : from.holds)
      give_up(held);
    from.holds.clear();
  }
  return released;
}

bool owner_core::hold_is_lost(const running_task& task, machine_id machine) {
  if (task.scheduler >= channels_.size())
    return false;
  for (auto& [_, held] : channels_[task.scheduler].holds)
    for (auto& p : held)
      if (p.task == task.task && p.machine == machine) {
        p.grant = no_grant;
        return true;
      }
  return false;
}

void owner_core::tell_states(const commit_request& wanted, commit_reply& reply) const {
  for (auto& r : reply.rejections) {
    const auto machine = wanted.placements[r.index].machine;
    const auto* part = find(machine);
    if (!part)
      continue;
    r.version = part->version(machine);
    r.free = part->free(machine);
    if (names_versions_)
      r.partition_version = version_of(*part);
  }
  for (auto& m : reply.machines)
    if (const auto* part = find(m.machine)) {
      m.version = part->version(m.machine);
      m.free = part->free(m.machine);
    }
}

commit_reply owner_core::commit(const commit_request& wanted,
                                std::vector<granted_placement>& granted, instant now) {
  evicted_.clear();
  auto& from = channels_.at(wanted.scheduler);
  from.heard = now;
  seen(wanted.scheduler, wanted.reports_seen);
  if (wanted.answered_below > from.answered_below) {
    from.answered_below = wanted.answered_below;
    from.answers.erase(from.answers.begin(), from.answers.lower_bound(wanted.answered_below));
  }
  if (wanted.id < from.answered_below)
    return {id_, wanted.id, {}}; // answered and known to be: a copy that was under way for long
  if (const auto known = from.answers.find(wanted.id); known != from.answers.end())
    return known->second;
  account(now);
  for (const auto& p : wanted.placements)
    if (const auto* part = std::as_const(*this).find(p.machine))
      part->prefetch(p.machine);
  from.latest = std::max(from.latest, wanted.id);
  commit_reply reply{id_, wanted.id, {}};
  std::vector<granted_placement> held;
  switch (wanted.mode) {
  case commit_mode::each:
    grant_each(wanted, now, granted, reply);
    break;
  case commit_mode::together:
    grant_together(wanted, now, granted, reply);
    break;
  case commit_mode::hold:
    if (grant_together(wanted, now, held, reply)) {
      from.holds.emplace(wanted.id, std::move(held));
      ++holds_;
    }
    break;
  case commit_mode::launch:
    launch(wanted, now, granted, reply);
    break;
  case commit_mode::release:
    release(wanted, reply);
    break;
  }
  tell_states(wanted, reply);
  const auto conflicts = static_cast<std::uint64_t>(std::ranges::count_if(
    reply.rejections, [](const rejection& r) { return r.cause != conflict_cause::aborted; }));
  if (wanted.mode != commit_mode::hold)
    sample_.accepted += wanted.placements.size() - reply.rejections.size();
  sample_.rejected += conflicts;
  from.answers.emplace_hint(from.answers.end(), wanted.id, reply);
  return reply;
}

} // namespace troupe
