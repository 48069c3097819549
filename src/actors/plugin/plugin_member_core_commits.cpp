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

/// Answers the commits of which nothing was sent. A view that learns from the plugin's own tasks
/// would choose the same machines again at once.
void plugin_member_core::answer_left_out(instant now) {
  std::vector<commit_reply> replies;
  for (owner_id o = 0; o < channels_.size(); ++o)
    for (const auto& c : channels_[o].pending)
      if (c.what.placements.empty())
        replies.push_back({o, c.what.id, {}});
  for (const auto& reply : replies)
    answer(reply, now);
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
  answer_left_out(now);
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
  auto apart = settling ? std::vector<rejection>{} : keep_apart(wanted);
  for (auto no = apart.rbegin(); no != apart.rend(); ++no)
    leave_out(wanted, no->index);
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
  to.pending.push_back({std::move(wanted), of_plugin, now, std::move(apart)});
  if (!to.pending.back().what.placements.empty())
    send(owner, to.pending.back());
  else if (!rules_.own_tasks)
    answer({owner, to.pending.back().what.id, {}}, now);
}

/// Whether the plugin knows that tasks are of one job.
bool plugin_member_core::knows_together(const task_id& a, const task_id& b) const {
  const auto& one = books_.jobs.at(a);
  const auto& other = books_.jobs.at(b);
  return one.shown && other.shown && one.seen.job == other.seen.job;
}

/// Whether a task of a job that spreads has another one beside it on a machine, or on its way
/// there, which the plugin does not know to be of the same job.
bool plugin_member_core::has_beside(const task_id& task, machine_id machine) const {
  const auto& running = failover_.running;
  for (auto it = running.lower_bound({task.job, 0});
       it != running.end() && it->first.job == task.job; ++it)
    if (it->second == machine && it->first != task && !knows_together(it->first, task))
      return true;
  const auto goes_there = [&](const pending_commit& c) {
    const auto is_beside = [&](std::uint32_t index) {
      const auto& other = c.what.placements[index].task;
      return other.job == task.job && other != task && !knows_together(other, task);
    };
    for (std::uint32_t i = 0; i < c.what.placements.size(); ++i)
      if (c.what.placements[i].machine == machine && is_beside(i))
        return true;
    return std::ranges::any_of(c.what.alternatives, [&](const alternative& a) {
      return a.machine == machine && is_beside(a.index);
    });
  };
  return std::ranges::any_of(channels_, [&](const channel& c) {
    return std::ranges::any_of(c.pending, goes_there) ||
           std::ranges::any_of(c.held, goes_there, &decltype(c.held)::value_type::second);
  });
}

/// Drops the alternatives of a commit that would put a task beside another one of its job that
/// spreads. Returns the refusals of the placements that would.
std::vector<rejection> plugin_member_core::keep_apart(commit_request& wanted) const {
  const auto is_beside = [&](std::uint32_t index, machine_id machine) {
    const auto& task = wanted.placements[index].task;
    return books_.jobs.find(task.job)->spread &&
           (has_beside(task, machine) ||
            std::any_of(wanted.placements.begin(), wanted.placements.begin() + index,
                        [&](const placement& p) {
                          return p.task.job == task.job && p.machine == machine &&
                                 !knows_together(p.task, task);
                        }));
  };
  std::erase_if(wanted.alternatives,
                [&](const alternative& a) { return is_beside(a.index, a.machine); });
  std::vector<rejection> refused;
  for (std::uint32_t i = 0; i < wanted.placements.size(); ++i)
    if (is_beside(i, wanted.placements[i].machine))
      refused.push_back({i, conflict_cause::taken, rules_.id, 0, {}});
  if (refused.empty() || wanted.mode == commit_mode::each)
    return refused;
  std::vector<rejection> all;
  for (std::uint32_t i = 0; i < wanted.placements.size(); ++i)
    all.push_back({i, conflict_cause::aborted, no_scheduler, 0, {}});
  for (const auto& no : refused)
    all[no.index] = no;
  return all;
}

/// Takes a placement out of a commit.
void plugin_member_core::leave_out(commit_request& wanted, std::uint32_t index) {
  wanted.placements.erase(wanted.placements.begin() + index);
  std::erase_if(wanted.alternatives, [&](const alternative& a) { return a.index == index; });
  for (auto& a : wanted.alternatives)
    a.index -= a.index > index;
}

/// Returns an answer as the plugin expects it: to all that it has asked for.
commit_reply plugin_member_core::answer_to_all(const pending_commit& of, commit_reply reply) {
  const auto number = [&](std::uint32_t index) {
    for (const auto& no : of.left_out)
      index += no.index <= index;
    return index;
  };
  for (auto& no : reply.rejections)
    no.index = number(no.index);
  for (auto& to : reply.diversions)
    to.index = number(to.index);
  reply.rejections.insert(reply.rejections.end(), of.left_out.begin(), of.left_out.end());
  std::ranges::sort(reply.rejections, {}, &rejection::index);
  reply.id = of.of_plugin;
  return reply;
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
  const bool granted = reply.rejections.empty() && commit.left_out.empty();
  if (commit.what.mode == commit_mode::hold && granted)
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
  tell(answer_to_all(commit, reply));
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
  tell(answer_to_all(of, reply));
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
