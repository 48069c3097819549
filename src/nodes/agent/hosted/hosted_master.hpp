#pragma once

#include "nodes/agent/hosted/hosted_members.hpp"
#include "nodes/agent/hosted/joined_cluster.hpp"
#include "nodes/agent/hosted/node_context.hpp"

#include <optional>

namespace troupe {

/// The file in a node's state that counts its incarnations as the master.
inline constexpr const char* master_incarnation_file = "master-incarnation";

/// The members that only the node with the master has: the master and, with offers, the allocator.
class hosted_master {
public:
  hosted_master(const node_context& node, const joined_cluster& cluster, hosted_members& members)
    : node_(node), cluster_(cluster), members_(members) {}

  /// Starts the master of these nodes. Throws `std::runtime_error` if there are no numbers for more
  /// masters.
  void start(const std::vector<node_entry>& nodes);

  /// The incarnation of the master; 0: it does not live here.
  incarnation_id incarnation() const { return incarnation_; }

  /// Starts the allocator if it belongs here and the first jobs are due: frameworks that are
  /// offered machines before would decline them, and go without them for some time. To be called
  /// often.
  void start_allocator();

private:
  incarnation_id next_number(const char* file) const;

  const node_context& node_;
  const joined_cluster& cluster_;
  hosted_members& members_;
  incarnation_id incarnation_ = 0;
  bool has_allocator_ = false;
  std::optional<instant> offers_from_; ///< when it is to start, once there are job stores
};

} // namespace troupe
