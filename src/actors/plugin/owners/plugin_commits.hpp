#pragma once

#include "model/protocol/protocol.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace troupe {

/// A commit of a plugin that its owner has not answered, or of which the owner holds machines.
struct plugin_commit {
  commit_request what;     ///< by the numbers of the cluster
  commit_id of_plugin = 0; ///< the plugin's number of it
  instant sent{0};
  std::vector<rejection> left_out{}; ///< of the plugin's placements, by their index there
};

/// The commits of a plugin under way, by owner, and their numbers. A commit is pending until its
/// owner answers. If the answer is that the owner holds machines, the commit is held until a later
/// commit settles it.
///
/// In the cluster, the commits of an incarnation have higher numbers than those of all incarnations
/// before. A commit that is sent anew takes another number, so the numbers of all later commits are
/// further from those of the plugin.
class plugin_commits {
public:
  plugin_commits(incarnation_id incarnation, std::size_t owners)
    : incarnation_(incarnation), of_(owners) {}

  // -- numbers ------------------------------------------------------------------------------------

  /// Notes the plugin's number of a commit. Returns whether the commit is new: its number is above
  /// those of all before. Throws `std::out_of_range` if there is no such owner.
  bool begin(owner_id owner, commit_id of_plugin);

  /// Returns the number in the cluster of the plugin's commit.
  commit_id number_of(owner_id owner, commit_id of_plugin) const;

  /// Returns the plugin's number of the last commit that is among those up to `id`, or a lower one.
  commit_id plugin_number(owner_id owner, commit_id id) const;

  /// Returns another number, for a commit that is sent anew.
  commit_id renumber(owner_id owner);

  // -- commits ------------------------------------------------------------------------------------

  plugin_commit& add(owner_id owner, plugin_commit commit);

  /// The pending commits to an owner, by number. Throws `std::out_of_range` if there is no such
  /// owner.
  std::deque<plugin_commit>& pending(owner_id owner) { return of_.at(owner).pending; }
  const std::deque<plugin_commit>& pending(owner_id owner) const { return of_.at(owner).pending; }

  /// Takes a pending commit out. Returns nothing if it is not there. Throws `std::out_of_range` if
  /// there is no such owner.
  std::optional<plugin_commit> take(owner_id owner, commit_id id);

  /// Takes out all pending commits to an owner.
  std::deque<plugin_commit> take_pending(owner_id owner);

  /// Keeps a commit that its owner holds.
  void hold(owner_id owner, plugin_commit commit);

  /// The held commits of an owner, by the plugin's number.
  std::map<commit_id, plugin_commit>& held(owner_id owner) { return of_.at(owner).held; }

  /// Forgets a held commit, which the plugin settles. Returns its number in the cluster, or nothing
  /// if none is held under this number of the plugin.
  std::optional<commit_id> settle(owner_id owner, commit_id of_plugin);

  /// Returns whether a task is in a pending commit to an owner.
  bool is_pending(owner_id owner, const task_id& task) const;

  /// Returns whether `matches(commit)` for any commit, pending or held.
  template <class Matches>
  bool any(Matches matches) const {
    for (const auto& of : of_) {
      for (const auto& c : of.pending)
        if (matches(c))
          return true;
      for (const auto& [_, c] : of.held)
        if (matches(c))
          return true;
    }
    return false;
  }

  /// Counts the placements of all commits.
  std::uint64_t placements() const;

  std::size_t owners() const { return of_.size(); }

  /// Counts the commits of the plugin, each once.
  std::uint64_t count() const { return count_; }

private:
  struct entry {
    std::deque<plugin_commit> pending;       ///< by number
    std::map<commit_id, plugin_commit> held; ///< by the plugin's number
    commit_id latest = 0;                    ///< of the plugin
    commit_id renumbered = 0;                ///< commits that were sent under two numbers
  };

  incarnation_id incarnation_;
  std::vector<entry> of_; ///< by owner
  std::uint64_t count_ = 0;
};

} // namespace troupe
