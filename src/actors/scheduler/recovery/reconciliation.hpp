#pragma once

#include "actors/scheduler/commits/commit_answers.hpp"
#include "actors/scheduler/commits/owner_reports.hpp"
#include "actors/scheduler/recovery/task_locations.hpp"
#include "actors/scheduler/scheduler_tables.hpp"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace troupe {

/// Begins sessions with owners. The statement of an owner says all that it knows of the
/// scheduler's tasks: it answers the commits to the owner that are under way, and tells which tasks
/// were lost.
class reconciliation {
public:
  reconciliation(scheduler_tables& tables, owner_reports& reports, task_locations& locations,
                 commit_answers& answers)
    : tables_(tables), reports_(reports), locations_(locations), answers_(answers) {}

  /// Books the statement of a session that begins. Returns the commits that settle transactions
  /// whose commits the statement answers.
  std::vector<outgoing_commit> begin_session(const owner_statement& statement, instant now);

private:
  /// Returns the commits that are answered by the statement. Those that are only held, or to be
  /// launched and were not, are asked for again, under another number: the earlier
  /// incarnation of the owner may still answer.
  std::vector<commit_id> select_answered(const owner_statement& statement, instant now);
  std::vector<outgoing_commit> settle_commits(const owner_statement& statement, instant now);
  commit_reply reply_of(const owner_statement& statement, commit_id id, instant now);
  void settle_running(const owner_statement& statement, instant now);

  /// Notes the tasks that run or ended by the statement, with their places, and the unknown
  /// machines.
  void look_at(const owner_statement& statement);

  /// Returns a machine that the placement's task may run on without its owner's knowledge.
  std::optional<machine_id> may_be_on(const decided_placement& d) const;

  scheduler_tables& tables_;
  owner_reports& reports_;
  task_locations& locations_;
  commit_answers& answers_;
  std::map<task_id, machine_id> places_; ///< by the statement that is being booked
  std::set<machine_id> unknown_;         ///< likewise
};

} // namespace troupe
