#pragma once

#include "nodes/agent/hosted/hosted_machines.hpp"
#include "nodes/agent/hosted/hosted_master.hpp"
#include "nodes/agent/hosted/hosted_members.hpp"
#include "nodes/agent/hosted/hosted_workload.hpp"
#include "nodes/agent/hosted/joined_cluster.hpp"
#include "nodes/agent/hosted/keeper_watch.hpp"
#include "nodes/agent/hosted/live_watch.hpp"
#include "nodes/agent/hosted/node_context.hpp"
#include "nodes/agent/hosted/node_roster.hpp"
#include "nodes/agent/hosted/place_keeper.hpp"
#include "nodes/agent/hosted/policy_carrier.hpp"
#include "nodes/agent/hosted/resident_actors.hpp"
#include "nodes/agent/hosted/work_history.hpp"
#include "nodes/routing/node_messages.hpp"
#include "settings/schema/settings.hpp"

#include <caf/fwd.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace troupe {

/// The members that live on a node: starts them when the cluster begins, takes the places that the
/// master gives, and tells how they are. Its parts are in `hosted`. May be used by any thread.
class node_agent : public node_hooks {
public:
  /// `state` is a directory for data that must survive the process.
  node_agent(caf::actor_system& system, std::shared_ptr<message_router> mail, node_identity who,
             std::filesystem::path state);
  ~node_agent();

  node_agent(const node_agent&) = delete;
  node_agent& operator=(const node_agent&) = delete;

  /// The node has been taken in. Throws `std::runtime_error` if the settings cannot be used, or do
  /// not match the members that run here.
  void welcome(const node_welcome& as);

  /// The nodes or members have changed: begins once the cluster has begun, and drains if the node
  /// is to be drained.
  void learn(const node_list& nodes);

  /// Tells the master that a standby is to take the place of a member, which moves or has ended.
  void hand_over(const member& who);

  node_report report();
  cluster_report describe(const node_list& nodes) const;

  /// On the node with the master: makes the orders that a client asks for, later than `after`.
  policy_reply plan_policies(const policy_request& asked, instant after) const;

  /// Returns whether no owner or scheduler is left here, and no running task, unless these may be
  /// left.
  bool is_empty(bool but_for_tasks);

  /// Has the machines of a trace follow it once the first jobs are due. To be called often.
  void follow_trace();

  /// In a cluster that grows: whether the machine of this node is to take another place and has
  /// been idle for so long that its owner knows all. To be called often.
  bool can_move();

  /// Starts the allocator if it belongs here and the first jobs are due: frameworks that are
  /// offered machines before would decline them, and go without them for some time. To be called
  /// often.
  void start_allocator();

  /// Returns the hosts that are machines and may get tasks now.
  std::vector<machine_description> machines() const;

  /// Returns all hosts that are machines and have not left.
  std::vector<named_machine> hosts() const;

  /// Returns the measurements of the recorder, which belongs to this node. Members are asked for
  /// details until this function has not been called for some time.
  live_report live(const live_request& asked) { return live_.read(asked); }

  /// Restarts the schedulers here when another keeper of the jobs, or the same one after a restart,
  /// hands the jobs out: they know the jobs of the earlier keeper. Call it often.
  void follow_keeper();

  // -- the workload ---------------------------------------------------------------------------

  /// Starts the workload and its recorder if they belong here and all members can be reached.
  /// Returns whether they have been started.
  bool start_workload();

  const std::shared_ptr<run_record>& record() const { return workload_.record(); }
  const std::optional<run_settings>& settings() const { return cluster_.settings(); }

  /// Notes which nodes and members have come and gone since the last call, by the time of the
  /// workload.
  void look_at_cluster();

  /// All that was noted.
  std::vector<run_event> cluster_history() const;

  /// The changes of policies of whole groups that clients have ordered so far.
  std::vector<policy_change_settings> policy_changes() const;

  /// The most hosts that were machines of the workload at a time.
  std::size_t most_machines() const;

  /// Returns whether the cluster has begun, and the workload, which belongs here, has not.
  bool workload_waits() const;

  /// The time of day as the members here count it, in ns since 1970: by the host's clock at the
  /// beginning of the cluster.
  std::int64_t time_of_day() const;

  /// Since the workload was started.
  duration work_time() const;

  /// Takes the last sample.
  void flush();

  /// The results have been written; nothing changes in them any more.
  void work_is_over() { workload_.end(); }

private:
  void begin();
  void learn_places(const node_list& nodes);

  node_context context_;
  joined_cluster cluster_{context_.system, context_.who};
  node_roster roster_;
  resident_actors residents_{context_};
  policy_carrier policies_{context_, cluster_};
  hosted_members members_{context_, cluster_, policies_, residents_};
  hosted_machines machines_{context_, cluster_};
  hosted_master master_{context_, cluster_, members_};
  place_keeper places_{context_};
  hosted_workload workload_{context_, cluster_, roster_, members_};
  work_history history_{context_, cluster_, roster_};
  keeper_watch keeper_;
  live_watch live_{workload_.record()->live};
};

} // namespace troupe
