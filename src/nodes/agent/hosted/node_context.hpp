#pragma once

#include "actors/common/reach.hpp"
#include "actors/machine/executor.hpp"
#include "model/jobs/job_source.hpp"
#include "nodes/agent/incarnation_file.hpp"
#include "nodes/clocks/utc_clock.hpp"
#include "nodes/routing/handle_cache.hpp"
#include "nodes/routing/message_router.hpp"
#include "nodes/routing/node_identity.hpp"

#include <caf/fwd.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>

namespace troupe {

/// What a node agent gets from the node around it. To be set before the first call of its
/// functions.
struct node_hooks {
  /// Called when a member has moved in or out.
  std::function<void()> on_change;

  /// Creates the executor of commands, in a cluster with jobs of clients, on a node with machines.
  /// It gets the present time of the cluster.
  std::function<std::shared_ptr<node_executor>(std::function<instant()>)> make_command_executor;

  /// On the node with the master: the number of its time as such, by the lease in the database of
  /// the jobs. 0: there is none, and it counts in a file.
  incarnation_id term = 0;

  /// The jobs of clients, on the node with the workload.
  std::shared_ptr<job_source> jobs_of_clients;
};

/// What all parts of a node agent share.
struct node_context {
  caf::actor_system& system;
  const std::shared_ptr<message_router> mail;
  const node_identity who;
  const std::filesystem::path state; ///< a directory for data that must survive the process
  const node_hooks& hooks;
  /// Guards all parts. Callers of a part hold it; what a part passes on to actors locks it.
  mutable std::mutex mutex;

  /// Returns the function by which a member finds others.
  reach_function reach_from(const address& from) const {
    return [known = std::make_shared<handle_cache>(mail, from)](role what, std::uint32_t number,
                                                                incarnation_id incarnation) {
      return known->find(what, number, incarnation);
    };
  }

  /// Returns the incarnation of a member that only this node has: by the clock, which others can
  /// tell the time from, unless the clock has gone back. `file`: its name in `state`. Throws
  /// `std::runtime_error` if it cannot be read or written.
  incarnation_id timed_number(const char* file) const {
    return static_cast<incarnation_id>(rising_number(state / file, life_by_clock()));
  }
};

/// The address of a member; incarnation 0: of the latest one.
inline address member_address(role what, std::uint32_t number, incarnation_id incarnation = 0) {
  return {party::member, what, number, incarnation};
}

inline address member_address(const member_entry& who) {
  return member_address(who.what, who.number, who.incarnation);
}

} // namespace troupe
