#pragma once

#include "actors/plugin/owners/plugin_member_tables.hpp"

#include <utility>
#include <vector>

namespace troupe {

/// Sends the commits of a plugin to owners, and again while they have no answer.
class plugin_commit_sender {
public:
  explicit plugin_commit_sender(plugin_member_tables& tables) : tables_(tables) {}

  /// Sends a commit that is pending or held.
  void send(owner_id owner, const plugin_commit& commit);

  /// Sends a commit as a new one: what an owner that is no more may still answer is not of it.
  void send_anew(owner_id owner, plugin_commit commit, instant now);

  /// Repeats the commits that were sent before `now` - commit_timeout. For a held one, this says
  /// that it is still wanted.
  void repeat(instant now);

  /// Returns the commits to send, with their owners, in order.
  std::vector<std::pair<owner_id, commit_request>> take() { return std::exchange(sent_, {}); }

private:
  bool is_overdue(const plugin_commit& commit, instant now) const;

  plugin_member_tables& tables_;
  std::vector<std::pair<owner_id, commit_request>> sent_; ///< since the last `take`
};

} // namespace troupe
