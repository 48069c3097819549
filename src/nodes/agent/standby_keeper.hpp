#pragma once

#include "jobs/store/keeper_lease.hpp"
#include "nodes/agent/run_node.hpp"

#include <chrono>
#include <memory>
#include <optional>

namespace troupe {

/// Returns whether the settings of a node have its jobs kept in a database: then it has the master
/// and the job service only while it has the lease of that.
bool stands_by(const node_options& options);

/// Waits until this node has the lease of the jobs. Meanwhile, its API answers clients with the
/// name of the holder. Null: the node is to end. Throws `std::runtime_error` if the database cannot
/// be used.
std::shared_ptr<keeper_lease> wait_for_lease(const node_options& options, node_monitor& monitor);

/// Whether a keeper has lost its lease, or was not able to renew it for long. That it is not
/// renewed in time alone, as while the database is started again, makes it accept and book nothing.
class lease_watch {
public:
  explicit lease_watch(std::shared_ptr<const keeper_lease> lease) : lease_(std::move(lease)) {}

  /// Throws `stepped_back` if so. To be called often.
  void look();

private:
  std::shared_ptr<const keeper_lease> lease_; ///< null: there is none
  std::optional<std::chrono::steady_clock::time_point> not_held_since_;
};

/// This node does not keep the jobs any more.
struct stepped_back : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace troupe
