#pragma once

#include "actors/plugin/plugin_records.hpp"
#include "actors/protocol/messages.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace troupe {

/// Keeps the records of a scheduler from a plugin where failures are not watched: it is shown the
/// messages to and from the plugin (`checked_scheduler`). Messages that come again or early count
/// once and in their turn, as they do for the plugin. May be called from several threads.
class plugin_listener {
public:
  /// `machines` are those of the records.
  plugin_listener(std::unique_ptr<plugin_records> records, std::shared_ptr<const catalog> machines)
    : machines_(std::move(machines)), records_(std::move(records)) {}

  // -- to the plugin ------------------------------------------------------------------------------

  void hear(const submission& what);
  void hear(const sync_update& what);
  void hear(const commit_reply& what, instant now);
  void hear(const task_report& what);
  void hear(const capacity_notice& what);
  void hear(const task_news& what);

  /// The plugin is asked for its counts.
  void ask();

  // -- from the plugin ----------------------------------------------------------------------------

  void say(owner_id to, const commit_request& what, instant now);
  void say(machine_id to, const queue_entry& what, instant now);
  void say(machine_id to, const task_assignment& what, instant now);
  void say(machine_id to, const capacity_heard& what);

  /// The plugin has answered with its counts, which alone show that it has given tasks up: it has
  /// if it counts as many of a group as wait with it, and none in its queue.
  void say(const std::vector<group_sample>& counts, instant now);

  // -- records ------------------------------------------------------------------------------------

  /// Returns the finished records; with `last` also the records of jobs and tasks that are not
  /// over.
  record_batch take(bool last);

  task_situation situation_of(const task_id& task) const;

private:
  struct channel {
    commit_id latest = 0;                        ///< of the plugin
    std::map<commit_id, commit_request> pending; ///< that are not answered
    std::uint64_t reports_seen = 0;
    std::map<std::uint64_t, task_report> early;
  };

  void send(const task_id& task, machine_id machine, instant now);
  void leave(const task_id& task);
  void finish(const task_end& end);
  bool awaits_answer(const channel& from, const task_report& report) const;
  bool book(channel& from, const task_report& report);
  void book_early(channel& from);

  mutable std::mutex mutex_;
  std::shared_ptr<const catalog> machines_; ///< lives as long as the records
  std::unique_ptr<plugin_records> records_;
  std::map<owner_id, channel> channels_;
  // -- queues of machines
  std::map<machine_id, std::map<task_id, resources>> sent_; ///< that have not started, and demands
  std::map<task_id, machine_id> sent_to_;
  std::map<machine_id, std::deque<capacity_notice>> unheard_;
  // -- counts
  std::uint64_t told_ = 0; ///< messages with news for the plugin
  std::uint64_t told_when_asked_ = 0;
  std::map<std::uint32_t, std::uint64_t> given_up_; ///< by group, of which it is not known which
};

} // namespace troupe
