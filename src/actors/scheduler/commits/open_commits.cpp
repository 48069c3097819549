#include "actors/scheduler/commits/open_commits.hpp"

#include <ranges>

namespace troupe {

namespace {

bool is_about(const open_commit& commit, const task_id& task) {
  return std::ranges::any_of(commit.placements,
                             [&](const decided_placement& d) { return d.task.task == task; });
}

/// Takes out what `it` points to.
open_commit extract(std::deque<open_commit>& from, std::deque<open_commit>::iterator it) {
  auto commit = std::move(*it);
  from.erase(it);
  return commit;
}

} // namespace

const open_commit* open_commits::find(owner_id owner, commit_id id) const {
  const auto& commits = all_.at(owner);
  const auto it = std::ranges::find(commits, id, &open_commit::id);
  return it == commits.end() ? nullptr : &*it;
}

open_commit* open_commits::find(owner_id owner, commit_id id) {
  auto& commits = all_.at(owner);
  const auto it = std::ranges::find(commits, id, &open_commit::id);
  return it == commits.end() ? nullptr : &*it;
}

open_commit open_commits::take(owner_id owner, commit_id id) {
  auto& commits = all_[owner];
  return extract(commits, std::ranges::find(commits, id, &open_commit::id));
}

open_commit open_commits::take_held(owner_id owner, std::uint64_t transaction) {
  auto& commits = all_[owner];
  return extract(commits, std::ranges::find_if(commits, [&](const open_commit& c) {
                   return c.held && c.transaction() == transaction;
                 }));
}

commit_request open_commits::request(owner_id owner, const open_commit& commit,
                                     std::uint64_t reports_seen) const {
  const auto& to = all_[owner];
  commit_request r{scheduler_,     commit.id, to.empty() ? commit.id : to.front().id,
                   reports_seen,   {},        commit.mode,
                   commit.settles, {},        commit.offers};
  r.placements.reserve(commit.placements.size());
  for (const auto& d : commit.placements) {
    for (auto other : d.others) {
      other.index = static_cast<std::uint32_t>(r.placements.size());
      r.alternatives.push_back(other);
    }
    r.placements.push_back({d.task.task, d.machine, d.version, d.task.demand, d.task.runtime,
                            d.task.priority(), d.task.tenant(), d.preempts,
                            estimates_ ? d.task.of->estimate : duration::zero()});
  }
  return r;
}

std::uint64_t open_commits::placements() const {
  std::uint64_t n = 0;
  for (const auto& commits : all_)
    for (const auto& c : commits)
      n += c.placements.size();
  return n;
}

bool open_commits::awaits_answer(const task_id& task) const {
  return std::ranges::any_of(all_, [&](const auto& commits) {
    return std::ranges::any_of(commits, [&](const open_commit& c) { return is_about(c, task); });
  });
}

bool open_commits::awaits_answer(const task_report& report) const {
  return std::ranges::any_of(all_.at(report.owner), [&](const open_commit& c) {
    const auto is_of_it = [&](const auto& end) { return is_about(c, end.task); };
    return std::ranges::any_of(report.ends, is_of_it) ||
           std::ranges::any_of(report.preempted, is_of_it);
  });
}

} // namespace troupe
