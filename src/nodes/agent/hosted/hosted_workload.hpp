#pragma once

#include "actors/recorder/recorder.hpp"
#include "actors/recorder/run_record.hpp"
#include "nodes/agent/hosted/hosted_members.hpp"
#include "nodes/agent/hosted/joined_cluster.hpp"
#include "nodes/agent/hosted/node_context.hpp"
#include "nodes/agent/hosted/node_roster.hpp"

#include <atomic>
#include <memory>

namespace troupe {

/// The workload, on the node that has it, and its recorder.
class hosted_workload {
public:
  hosted_workload(const node_context& node, const joined_cluster& cluster,
                  const node_roster& roster, hosted_members& members);

  /// Starts the workload and its recorder if they belong here and all members can be reached.
  /// Returns whether they have been started.
  bool start();

  bool has_begun() const { return begun_; }

  /// Returns whether the cluster has begun, and the workload, which belongs here, has not.
  bool waits() const { return cluster_.begun() && node_.who.roles.workload && !begun_; }

  /// When it began, by the time of the cluster.
  instant begins() const { return from_; }

  /// Since it was started.
  duration time() const { return begun_ ? cluster_.now() - from_ : duration{0}; }

  const std::shared_ptr<run_record>& record() const { return record_; }

  /// The tasks of the workload by state.
  workload_progress progress() const;

  /// The results have been written; nothing changes in them any more. May be called by any thread.
  void end();

  /// The recorder; null before the workload has begun.
  const recorder_actor& recorder() const { return recorder_; }

private:
  bool all_known() const;
  incarnation_id next_incarnation();
  void choose_begin(incarnation_id incarnation);
  void start_groups(incarnation_id incarnation);
  void start_recorder();
  recorder_config config_of(const address& as) const;

  const node_context& node_;
  const joined_cluster& cluster_;
  const node_roster& roster_;
  hosted_members& members_;
  const std::shared_ptr<run_record> record_ = std::make_shared<run_record>();
  recorder_actor recorder_;
  bool begun_ = false;
  std::atomic<bool> over_{false};
  instant from_{0};
};

} // namespace troupe
