#include "actors/plugin/owners/plugin_commits.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// A scheduler counts its commits behind those of its earlier incarnations.
constexpr unsigned bits_of_commits = 40;

} // namespace

bool plugin_commits::begin(owner_id owner, commit_id of_plugin) {
  auto& latest = of_.at(owner).latest;
  if (of_plugin <= latest)
    return false;
  latest = of_plugin;
  ++count_;
  return true;
}

commit_id plugin_commits::number_of(owner_id owner, commit_id of_plugin) const {
  return (commit_id{incarnation_} << bits_of_commits) + of_.at(owner).renumbered + of_plugin;
}

commit_id plugin_commits::plugin_number(owner_id owner, commit_id id) const {
  const auto base = number_of(owner, 0);
  return id >= base ? id - base : 0;
}

commit_id plugin_commits::renumber(owner_id owner) {
  auto& of = of_.at(owner);
  ++of.renumbered;
  return number_of(owner, of.latest);
}

plugin_commit& plugin_commits::add(owner_id owner, plugin_commit commit) {
  return of_.at(owner).pending.emplace_back(std::move(commit));
}

std::optional<plugin_commit> plugin_commits::take(owner_id owner, commit_id id) {
  auto& pending = of_.at(owner).pending;
  const auto it = std::ranges::find(pending, id, [](const auto& c) { return c.what.id; });
  if (it == pending.end())
    return std::nullopt;
  auto commit = std::move(*it);
  pending.erase(it);
  return commit;
}

std::deque<plugin_commit> plugin_commits::take_pending(owner_id owner) {
  return std::exchange(of_.at(owner).pending, {});
}

void plugin_commits::hold(owner_id owner, plugin_commit commit) {
  const auto number = commit.of_plugin;
  of_.at(owner).held.emplace(number, std::move(commit));
}

std::optional<commit_id> plugin_commits::settle(owner_id owner, commit_id of_plugin) {
  const auto held = of_.at(owner).held.extract(of_plugin);
  return held.empty() ? std::nullopt : std::optional{held.mapped().what.id};
}

bool plugin_commits::is_pending(owner_id owner, const task_id& task) const {
  return std::ranges::any_of(pending(owner), [&](const plugin_commit& c) {
    return std::ranges::find(c.what.placements, task, &placement::task) != c.what.placements.end();
  });
}

std::uint64_t plugin_commits::placements() const {
  std::uint64_t n = 0;
  for (const auto& of : of_) {
    for (const auto& c : of.pending)
      n += c.what.placements.size();
    for (const auto& [_, c] : of.held)
      n += c.what.placements.size();
  }
  return n;
}

} // namespace troupe
