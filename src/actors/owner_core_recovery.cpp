#include "actors/owner_core.hpp"

#include <algorithm>

// How an owner begins again, with machines that run something already and with other lives of
// schedulers: that part of owner_core.
namespace troupe {

void owner_core::survive(incarnation life) {
  survives_ = true;
  version_base_ = std::uint64_t{life} << 40;
}

bool owner_core::end_evicted(const evicted_task& gone, const task_end& end) {
  if (gone.scheduler == no_scheduler)
    return false; // it was told before
  if (end.outcome != task_outcome::finished && end.outcome != task_outcome::failed) {
    tell_preempted(gone, end.at);
    return false;
  }
  ++sample_.ended; // before the machine could kill it
  tell(gone.scheduler, end);
  return true;
}

void owner_core::drop_evicted(partition_state& part, machine_id machine, instant now) {
  for (const auto& gone : part.drop_evicted(machine))
    if (gone.scheduler != no_scheduler)
      tell_preempted(gone, now);
}

bool owner_core::adopt(const running_claim& claim, machine_id machine, instant now) {
  account(now);
  auto* part = find(machine);
  if (part == nullptr || !part->is_present(machine))
    return false;
  const placement as{claim.task,    machine,        part->version(machine), claim.demand,
                     claim.runtime, claim.priority, claim.tenant,           false};
  return !part->commit(as, claim.scheduler, now);
}

void owner_core::end_unbooked(scheduler_id scheduler, const task_end& end) {
  ++sample_.ended;
  tell(scheduler, end);
}

owner_statement owner_core::open_session(scheduler_id scheduler, std::uint64_t session,
                                         instant now) {
  account(now);
  auto& with = channels_.at(scheduler);
  for (auto& [_, held] : with.holds)
    give_up(held);
  owner_statement statement{id_, session, {}, {}, {}};
  for (auto& sent : with.unseen)
    std::ranges::move(sent.what.ends, std::back_inserter(statement.ended));
  std::ranges::move(with.news, std::back_inserter(statement.ended));
  // What was lost or preempted does not run, and that says it all.
  std::erase_if(statement.ended, [](const task_end& e) {
    return e.outcome != task_outcome::finished && e.outcome != task_outcome::failed;
  });
  news_ -= with.news.size() + with.changes.size() + with.preempted.size();
  with = channel{};
  with.reports = session + 1;
  with.heard = now;
  statement.running = running_of(scheduler);
  if (!tells_changes_)
    return statement;
  for (const auto& part : parts_)
    for (auto m : machines_->members(part.partition()))
      if (const auto has = part.capacity_of(m); has != machines_->machine(m).capacity)
        statement.capacities.push_back({m, has});
  return statement;
}

capacity_statement owner_core::open_allocator_session(std::uint64_t session, instant now) {
  account(now);
  for (auto& with : channels_) {
    for (auto& [_, held] : with.holds)
      give_up(held);
    with.holds.clear();
  }
  outbox_->restart(session);
  return state_capacity(now);
}

capacity_statement owner_core::state_capacity(instant) const {
  capacity_statement statement{id_, outbox_->number(), {}, {}};
  for (const auto& part : parts_) {
    for (auto m : machines_->members(part.partition()))
      if (part.is_present(m))
        statement.free.push_back({m, part.free(m)});
    for (scheduler_id s = 0; s < channels_.size(); ++s)
      for (const auto& [task, machine, demand] : part.running_of(s))
        statement.running.push_back({machine, s, demand});
  }
  return statement;
}

commit_reply owner_core::refuse(const commit_request& wanted, conflict_cause cause) {
  auto& from = channels_.at(wanted.scheduler);
  commit_reply reply{id_, wanted.id, {}};
  if (wanted.id < from.answered_below)
    return reply; // answered and known to be, as in `commit`
  if (const auto known = from.answers.find(wanted.id); known != from.answers.end())
    return known->second;
  for (std::uint32_t i = 0; i < wanted.placements.size(); ++i)
    reply.rejections.push_back({i, cause, no_scheduler, 0, {}});
  from.latest = std::max(from.latest, wanted.id);
  from.answers.emplace(wanted.id, reply);
  return reply;
}

std::vector<task_place> owner_core::running_of(scheduler_id scheduler) const {
  std::vector<task_place> places;
  for (const auto& part : parts_)
    for (const auto& [task, machine, _] : part.running_of(scheduler))
      places.push_back({task, machine});
  for (const auto& part : parts_)
    for (const auto& [_, gone] : part.leaving())
      if (survives_ && gone.scheduler == scheduler)
        places.push_back({gone.task, gone.machine});
  std::ranges::sort(places, {}, &task_place::task);
  return places;
}

} // namespace troupe
