#include "actors/plugin/owners/plugin_reconciliation.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace troupe {

void plugin_reconciliation::begin_session(const owner_statement& statement, instant now) {
  look_at(statement);
  locations_.locate_all(statement);
  settle_commits(statement.owner, now);
  settle_running(statement, now);
  locations_.settle_unsure(now);
  room_.state(statement);
  reports_.begin_session(statement.owner, statement.session);
  reports_.statement_booked(statement.owner);
}

void plugin_reconciliation::look_at(const owner_statement& statement) {
  running_.clear();
  for (const auto& r : statement.running)
    running_[r.task] = r.machine;
  places_ = running_;
  for (const auto& e : statement.ended)
    places_[e.task] = e.machine;
  unknown_ = {statement.unknown.begin(), statement.unknown.end()};
}

plugin_reconciliation::stated_answer
plugin_reconciliation::answer_of(owner_id owner, const commit_request& commit) const {
  stated_answer stated{{owner, commit.id, {}}, {}};
  auto& [reply, unsure] = stated;
  for (std::uint32_t i = 0; i < commit.placements.size(); ++i) {
    const auto& p = commit.placements[i];
    const auto at = places_.find(p.task);
    const auto may_be_on = std::ranges::find_if(commit.alternatives, [&](const alternative& a) {
      return a.index == i && unknown_.contains(a.machine);
    });
    if (at != places_.end()) {
      if (at->second != p.machine)
        reply.diversions.push_back({i, at->second});
    } else if (unknown_.contains(p.machine)) {
      unsure.insert(p.task);
    } else if (may_be_on != commit.alternatives.end()) {
      unsure.insert(p.task);
      reply.diversions.push_back({i, may_be_on->machine});
    } else {
      reply.rejections.push_back({i, conflict_cause::gone, no_scheduler, 0, {}});
    }
  }
  return stated;
}

void plugin_reconciliation::settle_commits(owner_id owner, instant now) {
  std::vector<plugin_commit> again;
  for (auto& c : tables_.commits.take_pending(owner)) {
    auto [reply, unsure] = answer_of(owner, c.what);
    const bool none = reply.rejections.size() == c.what.placements.size();
    const auto mode = c.what.mode;
    if (mode == commit_mode::hold || mode == commit_mode::release ||
        (mode == commit_mode::launch && none)) {
      again.push_back(std::move(c));
      continue;
    }
    const bool partly = !reply.rejections.empty() && !none;
    if (mode != commit_mode::each && partly)
      for (const auto& r : std::exchange(reply.rejections, {}))
        unsure.insert(c.what.placements[r.index].task);
    for (const auto& task : unsure)
      tables_.failover.unsure.emplace(task, now);
    answers_.book(c, reply, unsure, now);
  }
  for (auto& c : again)
    sender_.send_anew(owner, std::move(c), now);
}

void plugin_reconciliation::settle_running(const owner_statement& statement, instant now) {
  for (const auto& e : statement.ended)
    locations_.end(e);
  const auto& failover = tables_.failover;
  std::vector<task_place> lost;
  for (const auto& [task, machine] : failover.running) {
    if (machine == failover_books::somewhere ||
        tables_.setup.owner_of_machine(machine) != statement.owner)
      continue;
    const auto there = running_.find(task);
    const bool mentioned = there != running_.end() && there->second == machine;
    const bool may_run =
      unknown_.contains(machine) || (!unknown_.empty() && failover.unsure.contains(task));
    if (!mentioned && !may_run && !planted(planted_fault::dropped_rejection))
      lost.push_back({task, machine});
  }
  for (const auto& [task, machine] : lost)
    if (failover.unsure.contains(task))
      locations_.put_back(task, now);
    else
      locations_.end({task, machine, task_outcome::lost, now});
}

} // namespace troupe
