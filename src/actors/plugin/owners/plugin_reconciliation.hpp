#pragma once

#include "actors/plugin/owners/plugin_commit_answers.hpp"
#include "actors/plugin/owners/plugin_commit_sender.hpp"
#include "actors/plugin/owners/plugin_owner_reports.hpp"

#include <map>
#include <set>

namespace troupe {

/// Begins sessions of a plugin's member with owners. The statement of an owner says all that it
/// knows of the scheduler's tasks: it answers the pending commits to the owner, and tells which
/// tasks were lost.
///
/// Holds, releases, and launches of tasks that do not run yet are sent to the new owner instead. If
/// only a part of a commit that stands or falls as one runs, the commit counts as granted, and what
/// does not run as lost: the plugin expects all of it or nothing.
class plugin_reconciliation {
public:
  plugin_reconciliation(plugin_member_tables& tables, shown_room& room,
                        plugin_task_locations& locations, plugin_owner_reports& reports,
                        plugin_commit_sender& sender, plugin_commit_answers& answers)
    : tables_(tables),
      room_(room),
      locations_(locations),
      reports_(reports),
      sender_(sender),
      answers_(answers) {}

  /// Books the statement of a session that begins.
  void begin_session(const owner_statement& statement, instant now);

private:
  /// What a statement says of the placements of a commit.
  struct stated_answer {
    commit_reply reply;       ///< refuses the tasks that do not run
    std::set<task_id> unsure; ///< tasks that may run
  };

  /// Notes what the statement says: tasks that run or ended, with their places, and unknown
  /// machines.
  void look_at(const owner_statement& statement);
  stated_answer answer_of(owner_id owner, const commit_request& commit) const;
  void settle_commits(owner_id owner, instant now);
  void settle_running(const owner_statement& statement, instant now);

  plugin_member_tables& tables_;
  shown_room& room_;
  plugin_task_locations& locations_;
  plugin_owner_reports& reports_;
  plugin_commit_sender& sender_;
  plugin_commit_answers& answers_;
  std::map<task_id, machine_id> running_; ///< by the statement that is being booked
  std::map<task_id, machine_id> places_;  ///< likewise, also of tasks that have ended
  std::set<machine_id> unknown_;          ///< likewise
};

} // namespace troupe
