#include "actors/plugin/plugin_member_core.hpp"
#include "actors/plugin/settling_commit.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

// The commits of a plugin, and what owners answer: that part of plugin_member_core.
namespace troupe {

void plugin_member_core::send(owner_id owner, const pending_commit& commit) {
  auto request = commit.what;
  const auto& pending = channels_[owner].pending;
  request.answered_below = pending.empty() ? request.id : pending.front().what.id;
  request.reports_seen = failover_.safe(owner);
  commits_.emplace_back(owner, std::move(request));
}

/// Sends a commit as a new one: what an owner that is no more may still answer is not of it.
void plugin_member_core::send_again(owner_id owner, pending_commit commit, instant now) {
  auto& to = channels_[owner];
  ++to.renumbered;
  commit.what.id = number_of(owner, to.latest);
  commit.sent = now;
  to.pending.push_back(std::move(commit));
  send(owner, to.pending.back());
}

void plugin_member_core::repeat(instant now) {
  for (owner_id o = 0; o < channels_.size(); ++o) {
    for (auto& c : channels_[o].pending)
      if (now - c.sent >= rules_.commit_timeout) {
        c.sent = now;
        send(o, c);
        ++own_sample().retransmits;
      }
    for (auto& [_, c] : channels_[o].held) // to say that it is still wanted
      if (now - c.sent >= rules_.commit_timeout) {
        c.sent = now;
        send(o, c);
      }
  }
}

void plugin_member_core::commit(owner_id owner, commit_request wanted, instant now) {
  auto& to = channels_.at(owner);
  if (wanted.id <= to.latest)
    return;
  to.latest = wanted.id;
  ++commit_count_;
  const bool settling = settle(owner, wanted);
  const bool open = std::ranges::all_of(wanted.placements, [&](placement& p) {
    const auto task = books_.jobs.named(p.task);
    if (!task || books_.jobs.at(*task).at != (settling ? place::in_commit : place::queued))
      return false;
    p.task = *task;
    return true;
  });
  if (!open) {
    refuse_all(owner, wanted);
    return;
  }
  for (auto& p : wanted.placements) {
    if (machines_->windows() != nullptr)
      p.estimate = books_.jobs.find(p.task.job)->estimate;
    if (settling)
      continue;
    books_.jobs.at(p.task).at = place::in_commit;
    auto& counts = book_of(p.task).counts;
    --counts.queued;
    ++counts.in_commit;
    if (records_)
      records_->commit(owner, p, now);
  }
  const auto of_plugin = std::exchange(wanted.id, number_of(owner, wanted.id));
  to.pending.push_back({std::move(wanted), of_plugin, now});
  send(owner, to.pending.back());
}

/// Returns whether a commit settles what an earlier one holds, which is then held no more.
bool plugin_member_core::settle(owner_id owner, commit_request& wanted) {
  if (!settles(wanted.mode))
    return false;
  const auto held = channels_.at(owner).held.extract(wanted.settles);
  if (held.empty())
    return false;
  wanted.settles = held.mapped().what.id;
  return true;
}

void plugin_member_core::refuse_all(owner_id owner, const commit_request& wanted) {
  commit_reply reply{owner, wanted.id, {}};
  for (std::uint32_t i = 0; i < wanted.placements.size(); ++i)
    reply.rejections.push_back({i, conflict_cause::gone, no_scheduler, 0, {}});
  tell(std::move(reply));
}

void plugin_member_core::answer(const commit_reply& reply, instant now) {
  auto& pending = channels_.at(reply.owner).pending;
  const auto it = std::ranges::find(pending, reply.id, [](const auto& c) { return c.what.id; });
  if (it == pending.end())
    return;
  auto commit = std::move(*it);
  pending.erase(it);
  if (commit.what.mode == commit_mode::hold && reply.rejections.empty())
    hold(std::move(commit), reply);
  else
    book_answer(commit, reply, {}, now);
  book_early(reply.owner);
}

/// The tasks stay in commit until the plugin settles what is held. A new owner may hold the same
/// machines, and no others.
void plugin_member_core::hold(pending_commit commit, const commit_reply& reply) {
  commit.what.alternatives.clear();
  for (const auto& to : reply.diversions) {
    auto& p = commit.what.placements.at(to.index);
    p.machine = to.machine;
    if (records_)
      records_->divert(p.task, to.machine);
  }
  auto told = reply;
  told.id = commit.of_plugin;
  tell(std::move(told));
  auto& held = channels_[reply.owner].held;
  held.emplace(commit.of_plugin, std::move(commit));
}

void plugin_member_core::book_answer(const pending_commit& of, const commit_reply& reply,
                                     const std::set<task_id>& unsure, instant now) {
  const auto& commit = of.what;
  for (std::uint32_t i = 0; i < commit.placements.size(); ++i) {
    const auto& p = commit.placements[i];
    const auto why = std::ranges::find(reply.rejections, i, &rejection::index);
    if (why != reply.rejections.end()) {
      refuse(p.task, why->cause);
      if (records_)
        records_->refuse(reply.owner, p, *why, now);
      continue;
    }
    const auto other = std::ranges::find(reply.diversions, i, &diversion::index);
    const bool diverted = other != reply.diversions.end();
    const auto machine = diverted ? other->machine : p.machine;
    const bool sure = !unsure.contains(p.task);
    accept(p.task, machine, sure);
    if (records_ && sure)
      records_->grant(p.task, machine, diverted, now);
    else if (records_)
      records_->run_before(p.task, machine);
  }
  auto told = reply;
  told.id = of.of_plugin;
  tell(std::move(told));
}

void plugin_member_core::accept(const task_id& task, machine_id machine, bool sure) {
  auto& record = books_.jobs.at(task);
  record.at = place::running;
  record.machine = machine;
  failover_.running[task] = machine;
  auto& [counts, sample] = book_of(task);
  --counts.in_commit;
  ++counts.running;
  counts.placed += sure;
#ifdef TROUPE_CHECKS
  sample.duplicate_grants += !granted_.insert(task).second;
#endif
}

void plugin_member_core::refuse(const task_id& task, conflict_cause cause) {
  books_.jobs.at(task).at = place::queued;
  auto& [counts, sample] = book_of(task);
  --counts.in_commit;
  ++counts.queued;
  if (cause == conflict_cause::aborted) {
    ++sample.attempts.aborted;
    return;
  }
  ++sample.conflicts;
  ++sample.conflicts_by_cause[static_cast<std::size_t>(cause)];
}

void plugin_member_core::refresh(sync_update update) {
  update.commits_seen = plugin_number(update.owner, update.commits_seen);
  if (records_)
    records_->refresh(update);
  tell(std::move(update));
}

bool plugin_member_core::awaits_answer(const task_id& task) const {
  return books_.jobs.find(task.job) != nullptr && books_.jobs.at(task).at == place::in_commit;
}

bool plugin_member_core::awaits_answer(const task_report& report) const {
  const auto& pending = channels_.at(report.owner).pending;
  const auto waits = [&](const auto& end) {
    return awaits_answer(end.task) && std::ranges::any_of(pending, [&](const pending_commit& c) {
             return std::ranges::find(c.what.placements, end.task, &placement::task) !=
                    c.what.placements.end();
           });
  };
  return std::ranges::any_of(report.ends, waits) || std::ranges::any_of(report.preempted, waits);
}

std::uint64_t plugin_member_core::under_way() const {
  std::uint64_t n = 0;
  for (const auto& c : channels_) {
    for (const auto& commit : c.pending)
      n += commit.what.placements.size();
    for (const auto& [_, commit] : c.held)
      n += commit.what.placements.size();
  }
  return n;
}

} // namespace troupe
