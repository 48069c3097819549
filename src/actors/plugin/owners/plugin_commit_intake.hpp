#pragma once

#include "actors/plugin/owners/plugin_commit_answers.hpp"
#include "actors/plugin/owners/plugin_commit_sender.hpp"
#include "actors/plugin/owners/spread_guard.hpp"

namespace troupe {

/// Takes the commits of a plugin in, by the numbers of the cluster, and sends them to their owners.
/// A commit with a task that is not the plugin's to place, or that would not be kept apart from
/// others of its job, is refused without its owner.
class plugin_commit_intake {
public:
  plugin_commit_intake(plugin_member_tables& tables, const spread_guard& spread,
                       plugin_commit_sender& sender, plugin_commit_answers& answers)
    : tables_(tables), spread_(spread), sender_(sender), answers_(answers) {}

  /// Takes a commit in. One that comes again changes nothing. Throws `std::out_of_range` if there
  /// is no such owner.
  void commit(owner_id owner, commit_request wanted, instant now);

private:
  bool settle(owner_id owner, commit_request& wanted);
  bool name_tasks(commit_request& wanted, bool settling) const;
  void begin(owner_id owner, const placement& p, instant now);

  plugin_member_tables& tables_;
  const spread_guard& spread_;
  plugin_commit_sender& sender_;
  plugin_commit_answers& answers_;
};

} // namespace troupe
