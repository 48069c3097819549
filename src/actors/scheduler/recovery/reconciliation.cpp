#include "actors/scheduler/recovery/reconciliation.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

namespace troupe {

std::vector<outgoing_commit> reconciliation::begin_session(const owner_statement& statement,
                                                           instant now) {
  const auto owner = statement.owner;
  locations_.locate_all(statement);
  auto kept = reports_.take_kept(owner);
  look_at(statement);
  auto settling = settle_commits(statement, now);
  settle_running(statement, now);
  locations_.settle_unsure();
  tables_.capacities.state(statement);
  reports_.begin_session(owner, statement.session, std::move(kept));
  reports_.statement_booked(owner);
  for (auto& [to, commit] : settling) // of the session that has just begun
    commit.reports_seen = reports_.forgettable(to);
  return settling;
}

void reconciliation::look_at(const owner_statement& statement) {
  places_.clear();
  for (const auto& r : statement.running)
    places_[r.task] = r.machine;
  for (const auto& e : statement.ended)
    places_[e.task] = e.machine;
  unknown_ = {statement.unknown.begin(), statement.unknown.end()};
}

std::optional<machine_id> reconciliation::may_be_on(const decided_placement& d) const {
  if (places_.contains(d.task.task))
    return std::nullopt;
  if (unknown_.contains(d.machine))
    return d.machine;
  for (const auto& other : d.others)
    if (unknown_.contains(other.machine))
      return other.machine;
  return std::nullopt;
}

std::vector<commit_id> reconciliation::select_answered(const owner_statement& statement,
                                                       instant now) {
  auto& commits = tables_.commits.of(statement.owner);
  std::vector<commit_id> answered;
  std::deque<open_commit> kept;
  std::deque<open_commit> again;
  for (auto& c : commits) {
    const bool may_run = c.mode == commit_mode::each || c.mode == commit_mode::together ||
                         c.mode == commit_mode::launch;
    const auto found = std::ranges::count_if(c.placements, [&](const decided_placement& d) {
      return places_.contains(d.task.task) || may_be_on(d);
    });
    if (!may_run || (c.mode == commit_mode::launch && found == 0)) {
      c.sent = now - tables_.setup.limits.commit_timeout;
      (c.held ? kept : again).push_back(std::move(c));
      continue;
    }
    if (found > 0 && static_cast<std::size_t>(found) < c.placements.size())
      c.mode = commit_mode::each;
    answered.push_back(c.id);
    kept.push_back(std::move(c));
  }
  commits = std::move(kept);
  for (auto& c : again) {
    c.id = tables_.commits.next_id();
    commits.push_back(std::move(c));
  }
  return answered;
}

commit_reply reconciliation::reply_of(const owner_statement& statement, commit_id id, instant now) {
  commit_reply reply{statement.owner, id, {}};
  const auto& placements = std::as_const(tables_.commits).find(statement.owner, id)->placements;
  for (std::uint32_t i = 0; i < placements.size(); ++i) {
    const auto at = places_.find(placements[i].task.task);
    if (const auto unknown_place = may_be_on(placements[i])) {
      tables_.failover->unsure.emplace(placements[i].task.task, now);
      if (*unknown_place != placements[i].machine)
        reply.diversions.push_back({i, *unknown_place});
    } else if (at == places_.end())
      reply.rejections.push_back({i, conflict_cause::gone, no_scheduler, 0, {}});
    else if (at->second != placements[i].machine)
      reply.diversions.push_back({i, at->second});
  }
  return reply;
}

std::vector<outgoing_commit> reconciliation::settle_commits(const owner_statement& statement,
                                                            instant now) {
  std::vector<outgoing_commit> settling;
  for (auto id : select_answered(statement, now))
    std::ranges::move(answers_.book(reply_of(statement, id, now), now),
                      std::back_inserter(settling));
  return settling;
}

void reconciliation::settle_running(const owner_statement& statement, instant now) {
  std::map<task_id, machine_id> running;
  for (const auto& r : statement.running)
    running[r.task] = r.machine;
  for (const auto& e : statement.ended)
    locations_.end(e);
  std::vector<task_place> lost;
  for (const auto& [task, machine] : tables_.failover->running) {
    if (machine == failover_books::somewhere ||
        tables_.setup.owner_of_machine(machine) != statement.owner)
      continue;
    const auto there = running.find(task);
    const bool mentioned = there != running.end() && there->second == machine;
    const bool may_run =
      unknown_.contains(machine) || (!unknown_.empty() && tables_.failover->unsure.contains(task));
    if (!mentioned && !may_run)
      lost.push_back({task, machine});
  }
  for (const auto& [task, machine] : lost)
    if (tables_.failover->unsure.contains(task))
      locations_.put_back(task);
    else
      locations_.end({task, machine, task_outcome::lost, now});
}

} // namespace troupe
