#pragma once

#include "actors/protocol/messages.hpp"
#include "model/cluster/catalog.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace troupe {

/// Watches a scheduler actor from a plugin: it sees the messages to the scheduler and its commits,
/// and stops faulty commits. Faults are a machine that does not exist or belongs to another owner,
/// a task that is not the scheduler's, is placed twice, has another demand or waits for a task
/// that runs, a machine that could never hold it, and a commit with a used number, unless it is an
/// unchanged repetition. The first fault is reported, once, as one line that names the plugin and
/// the call; after it nothing passes. May be called from several threads.
class scheduler_check {
public:
  using fault_handler = std::function<void(const std::string&)>;

  /// `label` names the plugin; `owner_of` names the owner of each partition.
  scheduler_check(scheduler_id id, std::shared_ptr<const catalog> machines,
                  std::vector<owner_id> owner_of, std::string label, fault_handler on_fault);

  /// Notes a message to the scheduler.
  void submitted(const submission& what);
  void answered(const commit_reply& reply);
  void reported(const task_report& report);
  void heard(const task_news& news);

  /// Returns whether a commit to an owner may pass. One that is sent again as it was may.
  bool admits(owner_id owner, const commit_request& request);

  /// Returns whether anything may pass: there was no fault.
  bool passes();

  /// Reports a fault that the caller has found in a message of the scheduler. `what` follows the
  /// scheduler's name in the report.
  void refuse(const std::string& what);

  /// The scheduler's actor has ended before its time.
  void ended(const std::string& reason);

private:
  enum class where : std::uint8_t { queued, in_commit, running };

  struct task_note {
    where at = where::queued;
    machine_id machine = 0; ///< unless queued
    std::pair<owner_id, commit_id> commit{};
  };

  /// The commits to an owner. Those that the scheduler may send again are all from the first one
  /// on that it has not said to be answered.
  struct sent_commits {
    commit_id latest = 0;
    commit_id answered_below = 0;
    std::map<commit_id, std::uint64_t> contents{}; ///< hashes
  };

  /// A commit that has no answer, or holds what it asked for.
  struct open_commit {
    commit_mode mode = commit_mode::each;
    std::vector<task_id> tasks{};
    bool held = false;
  };

  using commit_key = std::pair<owner_id, commit_id>;

  void fail(const std::string& what);
  static std::string fault_of(const sent_commits& sent, const commit_request& request);
  const task_group* group_of(const task_id& task) const;
  std::string fault_of(owner_id owner, const placement& p) const;
  std::string fault_of_order(const task_id& task) const;
  std::string fault_of(owner_id owner, const commit_request& request) const;
  std::string fault_of(owner_id owner, machine_id machine) const;
  void over(const task_end& end);

  scheduler_id id_;
  std::shared_ptr<const catalog> machines_;
  std::vector<owner_id> owner_of_;
  std::string label_;
  fault_handler on_fault_;
  std::mutex mutex_;
  bool failed_ = false;
  std::unordered_map<job_id, std::pair<job, std::uint32_t>> jobs_; ///< and tasks not over
  std::unordered_map<task_id, task_note> tasks_;                   ///< those not over
  std::map<commit_key, open_commit> commits_;
  std::vector<sent_commits> sent_; ///< by owner
};

} // namespace troupe
