#include "actors/owner/commit_holds.hpp"

#include <utility>

namespace troupe {

namespace {

void free_all(const std::vector<granted_placement>& held, owned_partitions& on) {
  for (const auto& p : held)
    if (p.grant != no_grant)
      on.find(p.machine)->end(p.machine, p.task, p.grant);
}

} // namespace

std::optional<std::vector<granted_placement>> commit_holds::take(scheduler_id scheduler,
                                                                 commit_id commit) {
  auto node = holders_[scheduler].held.extract(commit);
  if (node.empty())
    return std::nullopt;
  --commits_;
  return std::move(node.mapped());
}

void commit_holds::release(scheduler_id scheduler, commit_id commit, owned_partitions& on) {
  if (const auto held = take(scheduler, commit))
    free_all(*held, on);
}

void commit_holds::release_all(scheduler_id scheduler, owned_partitions& on) {
  const auto all = std::exchange(holders_.at(scheduler).held, {});
  for (const auto& [_, held] : all)
    free_all(held, on);
  commits_ -= all.size();
}

std::size_t commit_holds::release_silent(instant heard_before, owned_partitions& on) {
  const auto before = commits_;
  for (scheduler_id s = 0; s < holders_.size(); ++s)
    if (holders_[s].heard < heard_before)
      release_all(s, on);
  return before - commits_;
}

bool commit_holds::lose(const running_task& task, machine_id machine) {
  if (task.scheduler >= holders_.size())
    return false;
  for (auto& [_, held] : holders_[task.scheduler].held)
    for (auto& p : held)
      if (p.task == task.task && p.machine == machine) {
        p.grant = no_grant;
        return true;
      }
  return false;
}

} // namespace troupe
