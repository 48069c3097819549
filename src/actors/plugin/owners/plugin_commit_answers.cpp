#include "actors/plugin/owners/plugin_commit_answers.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace troupe {

namespace {

/// Returns an answer as the plugin expects it: to all that it has asked for.
commit_reply answer_to_all(const plugin_commit& of, commit_reply reply) {
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

} // namespace

void plugin_commit_answers::answer(const commit_reply& reply, instant now) {
  auto commit = tables_.commits.take(reply.owner, reply.id);
  if (!commit)
    return;
  const bool granted = reply.rejections.empty() && commit->left_out.empty();
  if (commit->what.mode == commit_mode::hold && granted)
    hold(std::move(*commit), reply);
  else
    book(*commit, reply, {}, now);
  reports_.book_kept(reply.owner);
}

/// A new owner may hold the same machines, and no others.
void plugin_commit_answers::hold(plugin_commit commit, const commit_reply& reply) {
  commit.what.alternatives.clear();
  for (const auto& to : reply.diversions) {
    auto& p = commit.what.placements.at(to.index);
    p.machine = to.machine;
    if (tables_.records)
      tables_.records->divert(p.task, to.machine);
  }
  tables_.told.tell(answer_to_all(commit, reply));
  tables_.commits.hold(reply.owner, std::move(commit));
}

void plugin_commit_answers::book(const plugin_commit& of, const commit_reply& reply,
                                 const std::set<task_id>& unsure, instant now) {
  const auto& placements = of.what.placements;
  auto* records = tables_.records.get();
  for (std::uint32_t i = 0; i < placements.size(); ++i) {
    const auto& p = placements[i];
    const auto why = std::ranges::find(reply.rejections, i, &rejection::index);
    if (why != reply.rejections.end()) {
      refuse(p.task, why->cause);
      if (records)
        records->refuse(reply.owner, p, *why, now);
      continue;
    }
    const auto other = std::ranges::find(reply.diversions, i, &diversion::index);
    const bool diverted = other != reply.diversions.end();
    const auto machine = diverted ? other->machine : p.machine;
    const bool sure = !unsure.contains(p.task);
    accept(p.task, machine, sure);
    if (records && sure)
      records->grant(p.task, machine, diverted, now);
    else if (records)
      records->run_before(p.task, machine);
  }
  tables_.told.tell(answer_to_all(of, reply));
}

void plugin_commit_answers::accept(const task_id& task, machine_id machine, bool sure) {
  auto& record = tables_.books.jobs.at(task);
  record.at = plugin_jobs::place::running;
  record.machine = machine;
  tables_.failover.running[task] = machine;
  auto& [counts, sample] = tables_.book_of(task);
  --counts.in_commit;
  ++counts.running;
  counts.placed += sure;
  sample.duplicate_grants += tables_.granted.begin(task);
}

void plugin_commit_answers::refuse(const task_id& task, conflict_cause cause) {
  tables_.books.jobs.at(task).at = plugin_jobs::place::queued;
  auto& [counts, sample] = tables_.book_of(task);
  --counts.in_commit;
  ++counts.queued;
  if (cause == conflict_cause::aborted) {
    ++sample.attempts.aborted;
    return;
  }
  ++sample.conflicts;
  ++sample.conflicts_by_cause[static_cast<std::size_t>(cause)];
}

void plugin_commit_answers::answer_empty(instant now) {
  std::vector<commit_reply> replies;
  for (owner_id o = 0; o < tables_.commits.owners(); ++o)
    for (const auto& c : tables_.commits.pending(o))
      if (c.what.placements.empty())
        replies.push_back({o, c.what.id, {}});
  for (const auto& reply : replies)
    answer(reply, now);
}

void plugin_commit_answers::refuse_all(owner_id owner, const commit_request& wanted) {
  commit_reply reply{owner, wanted.id, {}};
  for (std::uint32_t i = 0; i < wanted.placements.size(); ++i)
    reply.rejections.push_back({i, conflict_cause::gone, no_scheduler, 0, {}});
  tables_.told.tell(std::move(reply));
}

} // namespace troupe
