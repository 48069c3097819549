#pragma once

#include "nodes/agent/hosted/joined_cluster.hpp"
#include "nodes/agent/hosted/node_context.hpp"
#include "nodes/agent/hosted/policy_carrier.hpp"
#include "nodes/agent/hosted/resident_actors.hpp"
#include "runtime/cluster/member_factory.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace troupe {

/// Starts the members of a node except its machines, and the standbys that become owners and
/// schedulers. A node that is drained has no standbys; its members move away.
class hosted_members {
public:
  hosted_members(const node_context& node, const joined_cluster& cluster, policy_carrier& policies,
                 resident_actors& here)
    : node_(node), cluster_(cluster), policies_(policies), here_(here) {}

  /// The cluster has begun: members may start from now on. `record` receives the faults of
  /// policies.
  void begin(std::shared_ptr<run_record> record);

  /// Starts standbys until there are as many owners and schedulers as the node may have.
  void fill_standbys();

  void start(const promotion& as);

  /// Starts the master, which expects the standbys of the nodes that are there.
  void start_master(const promotion& as, const std::vector<node_entry>& nodes);

  /// Starts the workload of group `as.as.number`, which submits the jobs of `source`.
  void start_workload(const promotion& as, std::shared_ptr<job_source> source);

  /// Ends all schedulers, has standbys take their places, and tells the master.
  void restart_schedulers();

  /// Tells the master that a standby is to take the place of a member, which moves or has ended.
  void hand_over(const member& who) const;

  /// Ends all standbys, and starts no more. Returns false if the node is being drained already.
  bool drain();
  bool draining() const { return draining_; }

  /// Returns whether the node has been draining for so long.
  bool has_drained_for(duration time) const;

  /// Returns whether no owner or scheduler is left.
  bool is_empty() const;

private:
  /// Returns how many standbys a node with these roles may have.
  standby_counts most_standbys(const node_roles& may) const;

  member_start start_of(const promotion& as);
  void start_standby(role what);
  void promote(const promotion& as);
  void retired(const member_entry& who);

  const node_context& node_;
  const joined_cluster& cluster_;
  policy_carrier& policies_;
  resident_actors& here_;
  std::optional<member_factory> factory_; ///< once the cluster has begun
  std::map<role, std::uint32_t> standbys_started_;
  bool draining_ = false;
  std::chrono::steady_clock::time_point drains_since_{};
};

} // namespace troupe
