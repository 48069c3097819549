#pragma once

#include "actors/plugin/owners/plugin_member_tables.hpp"
#include "actors/plugin/owners/plugin_owner_reports.hpp"

#include <set>

namespace troupe {

/// Books what owners answer to the commits of a plugin, and answers the plugin: each commit once,
/// by the plugin's own number, with the placements that were left out among the refused ones.
class plugin_commit_answers {
public:
  plugin_commit_answers(plugin_member_tables& tables, plugin_owner_reports& reports)
    : tables_(tables), reports_(reports) {}

  /// Books an owner's answer. One that was booked before is ignored. If the owner holds what was
  /// asked for, the tasks stay in commit until the plugin settles that.
  void answer(const commit_reply& reply, instant now);

  /// Books an answer to a commit that is not pending any more. The tasks that are `unsure` may run;
  /// owners have not confirmed that.
  void book(const plugin_commit& of, const commit_reply& reply, const std::set<task_id>& unsure,
            instant now);

  /// Answers the pending commits of which nothing was sent.
  void answer_empty(instant now);

  /// Refuses all of a commit of the plugin that was not sent.
  void refuse_all(owner_id owner, const commit_request& wanted);

private:
  void hold(plugin_commit commit, const commit_reply& reply);
  void accept(const task_id& task, machine_id machine, bool sure);
  void refuse(const task_id& task, conflict_cause cause);

  plugin_member_tables& tables_;
  plugin_owner_reports& reports_;
};

} // namespace troupe
