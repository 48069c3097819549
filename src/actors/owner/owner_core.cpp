#include "actors/owner/owner_core.hpp"

#include "actors/owner/placement_granter.hpp"

#include <algorithm>

namespace troupe {

owner_core::owner_core(owner_id id, const catalog& machines,
                       std::span<const partition_id> partitions, std::uint32_t schedulers,
                       conflict_detection detection, const owner_duties& duties, instant now)
  : id_(id),
    parts_(machines, partitions, detection, duties.ranking, duties.names_versions),
    meter_(now),
    answers_(schedulers),
    holds_(schedulers),
    reports_(id, schedulers, duties.tells_changes) {
  if (duties.tells_allocator)
    outbox_.emplace(id);
}

commit_reply owner_core::commit(const commit_request& wanted,
                                std::vector<granted_placement>& granted, instant now) {
  evicted_.clear();
  auto& answers = answers_.at(wanted.scheduler);
  holds_.heard(wanted.scheduler, now);
  reports_.seen(wanted.scheduler, wanted.reports_seen, now);
  answers.forget_below(wanted.answered_below);
  if (auto known = answers.find(id_, wanted.id))
    return *std::move(known);
  meter_.advance(parts_, now);
  for (const auto& p : wanted.placements)
    if (const auto* part = std::as_const(parts_).find(p.machine))
      part->prefetch(p.machine);
  commit_reply reply{id_, wanted.id, {}};
  decide(wanted, granted, reply, now);
  parts_.add_states(wanted, reply);
  auto& counts = meter_.counts();
  if (wanted.mode != commit_mode::hold)
    counts.accepted += wanted.placements.size() - reply.rejections.size();
  counts.rejected += static_cast<std::uint64_t>(std::ranges::count_if(
    reply.rejections, [](const rejection& r) { return r.cause != conflict_cause::aborted; }));
  if (partitions_.counts())
    partitions_.count(wanted, reply, parts_.machines());
  answers.keep(reply);
  return reply;
}

void owner_core::decide(const commit_request& wanted, std::vector<granted_placement>& granted,
                        commit_reply& reply, instant now) {
  std::vector<granted_placement> held;
  const auto before = granted.size();
  const bool holds = wanted.mode == commit_mode::hold;
  placement_granter granter{parts_, wanted, now, {reply, holds ? held : granted, evicted_}};
  switch (wanted.mode) {
  case commit_mode::each:
    granter.grant_each();
    break;
  case commit_mode::together:
    granter.grant_together();
    break;
  case commit_mode::hold:
    if (granter.grant_together()) {
      tell_watch(wanted, held);
      holds_.add(wanted.scheduler, wanted.id, std::move(held));
    }
    break;
  case commit_mode::launch:
    if (auto kept = holds_.take(wanted.scheduler, wanted.settles))
      launch(wanted, *std::move(kept), granted, now);
    else // released meanwhile: granted if there is still room
      granter.grant_together();
    break;
  case commit_mode::release:
    holds_.release(wanted.scheduler, wanted.settles, parts_);
    reply.rejections = rejections_of_all(wanted, conflict_cause::aborted);
    break;
  }
  tell_watch(wanted, std::span{granted}.subspan(before));
  for (const auto& gone : evicted_)
    if (!watches_failures_)
      preempted(gone, now);
}

void owner_core::tell_watch(const commit_request& wanted,
                            std::span<const granted_placement> granted) {
  if (watch_ == nullptr)
    return;
  auto gone = evicted_.begin();
  for (const auto& g : granted) {
    watch_->grant(g.machine, wanted.scheduler, g.task);
    for (std::uint32_t i = 0; i < g.evicted && gone != evicted_.end(); ++i, ++gone)
      watch_->evict(gone->task, gone->machine, id_, g.task, g.priority);
  }
}

void owner_core::launch(const commit_request& wanted, std::vector<granted_placement> held,
                        std::vector<granted_placement>& granted, instant now) {
  for (std::size_t i = 0; i < held.size(); ++i) {
    auto& p = held[i];
    if (p.grant == no_grant) {
      lost({p.task, wanted.scheduler, p.demand}, p.machine, now);
      continue;
    }
    p.priority = wanted.placements.at(i).priority;
    parts_.find(p.machine)->rank_again(p.machine, p.grant, p.priority);
    granted.push_back(p);
  }
}

commit_reply owner_core::refuse(const commit_request& wanted, conflict_cause cause) {
  auto& answers = answers_.at(wanted.scheduler);
  if (auto known = answers.find(id_, wanted.id))
    return *std::move(known);
  answers.keep({id_, wanted.id, rejections_of_all(wanted, cause)});
  return *answers.find(id_, wanted.id);
}

std::size_t owner_core::release_silent(instant heard_before, instant now) {
  meter_.advance(parts_, now);
  return holds_.release_silent(heard_before, parts_);
}

sync_update owner_core::sync_all(std::uint64_t n, scheduler_id scheduler, instant now) {
  sync_update update{id_, n, answers_.at(scheduler).latest(), {}};
  parts_.add_snapshots(update, now);
  return update;
}

void owner_core::freed(machine_id machine, scheduler_id scheduler, const resources& amount) {
  if (outbox_)
    outbox_->next.freed.push_back({machine, scheduler, amount});
}

void owner_core::lost(const running_task& what, machine_id machine, instant now) {
  reports_.ended(what.scheduler, {what.task, machine, task_outcome::lost, now});
  freed(machine, what.scheduler, what.demand);
}

void owner_core::preempted(const evicted_task& gone, instant at) {
  ++meter_.counts().evicted;
  reports_.preempted(gone.scheduler, {gone.task, gone.machine, at, gone.ran});
}

std::size_t owner_core::end(std::span<const task_end> ends, instant now) {
  meter_.advance(parts_, now);
  std::size_t booked = 0;
  for (const auto& e : ends)
    if (const auto* part = std::as_const(parts_).find(e.machine))
      part->prefetch(e.machine, e.grant);
  for (const auto& e : ends) {
    auto* part = parts_.find(e.machine);
    if (const auto gone = part ? part->settle_evicted(e.machine, e.task, e.grant) : std::nullopt) {
      booked += watches_failures_ && settle_evicted(*gone, e);
      continue;
    }
    const auto ran = part ? part->end(e.machine, e.task, e.grant) : std::nullopt;
    if (!ran) {
      ++meter_.counts().unknown_ends;
      continue;
    }
    ++booked;
    end_unbooked(ran->scheduler, e);
    freed(e.machine, ran->scheduler, ran->demand);
  }
  return booked;
}

/// Returns whether the evicted task had ended before its machine could kill it.
bool owner_core::settle_evicted(const evicted_task& gone, const task_end& end) {
  if (gone.scheduler == no_scheduler)
    return false; // its scheduler was told before
  if (end.outcome != task_outcome::finished && end.outcome != task_outcome::failed) {
    evicted_has_left(gone, end.at);
    return false;
  }
  end_unbooked(gone.scheduler, end);
  return true;
}

void owner_core::evicted_has_left(const evicted_task& gone, instant at) {
  if (gone.lost)
    reports_.ended(gone.scheduler, {gone.task, gone.machine, task_outcome::lost, at});
  else
    preempted(gone, at);
}

bool owner_core::adopt(const running_claim& claim, machine_id machine, instant now) {
  meter_.advance(parts_, now);
  auto* part = parts_.find(machine);
  if (part == nullptr || !part->is_present(machine))
    return false;
  const placement as{claim.task,    machine,        part->version(machine), claim.demand,
                     claim.runtime, claim.priority, claim.tenant,           false};
  return !part->commit(as, claim.scheduler, now);
}

void owner_core::end_unbooked(scheduler_id scheduler, const task_end& end) {
  ++meter_.counts().ended;
  reports_.ended(scheduler, end);
}

void owner_core::changed(const machine_change& change) {
  if (outbox_)
    outbox_->next.changes.push_back(change);
  reports_.changed(change);
}

void owner_core::remove(machine_id machine, instant now) {
  meter_.advance(parts_, now);
  auto* part = parts_.find(machine);
  if (part == nullptr)
    return;
  if (watches_failures_)
    for (const auto& gone : part->drop_evicted(machine))
      if (gone.scheduler != no_scheduler)
        evicted_has_left(gone, now);
  const bool was_present = part->is_present(machine);
  const auto had = part->capacity_of(machine);
  for (const auto& task : part->remove(machine))
    if (!holds_.lose(task, machine))
      lost(task, machine, now);
  if (!was_present)
    return;
  const bool whole = had == parts_.machines().machine(machine).capacity;
  changed({machine, false, whole ? resources{} : resources{} - had});
}

void owner_core::restore(machine_id machine, instant now) {
  meter_.advance(parts_, now);
  auto* part = parts_.find(machine);
  if (part == nullptr || part->is_present(machine))
    return;
  part->restore(machine);
  changed({machine, true});
}

std::vector<task_id> owner_core::set_capacity(const machine_capacity& what, instant now) {
  meter_.advance(parts_, now);
  std::vector<task_id> killed;
  const auto machine = what.machine;
  auto* part = parts_.find(machine);
  if (part == nullptr)
    return killed;
  const auto before = part->capacity_of(machine);
  if (before == what.capacity)
    return killed;
  for (auto grant : part->surplus(machine, what.capacity)) {
    const bool held = holds_.lose(part->task_at(grant), machine);
    const auto task = part->expel(grant, !held, !watches_failures_);
    if (held)
      continue;
    killed.push_back(task.task);
    if (watches_failures_) // it may run until its machine has killed it
      freed(machine, task.scheduler, task.demand);
    else
      lost(task, machine, now);
  }
  part->set_capacity(machine, what.capacity);
  changed({machine, !what.capacity.is_zero(), what.capacity - before});
  return killed;
}

void owner_core::empty(machine_id machine, instant now) {
  auto* part = parts_.find(machine);
  if (part == nullptr)
    return;
  part->close(machine, true);
  set_capacity({machine, part->capacity_of(machine) - part->free(machine)}, now);
}

void owner_core::fill(const machine_capacity& what, instant now) {
  if (auto* part = parts_.find(what.machine); part != nullptr)
    part->close(what.machine, false);
  set_capacity(what, now);
}

void owner_core::watch_failures(incarnation_id incarnation) {
  watches_failures_ = true;
  parts_.begin_versions(incarnation);
  reports_.collect_seen_ends();
}

owner_statement owner_core::open_session(scheduler_id scheduler, std::uint64_t session,
                                         instant now) {
  meter_.advance(parts_, now);
  holds_.release_all(scheduler, parts_);
  holds_.heard(scheduler, now);
  answers_.at(scheduler) = {};
  owner_statement statement{id_, session, {}, {}, {}};
  statement.ended = reports_.restart(scheduler, session + 1);
  statement.running = running_of(scheduler);
  if (reports_.tells_changes())
    for (const auto& part : parts_)
      for (auto m : parts_.machines().members(part.partition()))
        if (const auto has = part.capacity_of(m); has != parts_.machines().machine(m).capacity)
          statement.capacities.push_back({m, has});
  return statement;
}

capacity_statement owner_core::open_allocator_session(std::uint64_t session, instant now) {
  meter_.advance(parts_, now);
  for (scheduler_id s = 0; s < answers_.size(); ++s)
    holds_.release_all(s, parts_);
  outbox_->restart(session);
  return state_capacity();
}

capacity_statement owner_core::state_capacity() const {
  capacity_statement statement{id_, outbox_->number(), {}, {}};
  for (const auto& part : parts_) {
    for (auto m : parts_.machines().members(part.partition()))
      if (part.is_present(m))
        statement.free.push_back({m, part.free(m)});
    for (scheduler_id s = 0; s < answers_.size(); ++s)
      for (const auto& [task, machine, demand] : part.running_of(s))
        statement.running.push_back({machine, s, demand});
  }
  return statement;
}

} // namespace troupe
