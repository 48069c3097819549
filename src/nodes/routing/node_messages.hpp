#pragma once

#include "actors/protocol/messages.hpp"
#include "model/protocol/failure_protocol.hpp"
#include "nodes/execution/inspect_work.hpp"
#include "nodes/routing/inspect_live.hpp"
#include "nodes/routing/node_identity.hpp"
#include "nodes/routing/policy_messages.hpp"
#include "nodes/routing/snapshot_codec.hpp"

#include <caf/atom.hpp>
#include <caf/type_id.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// The messages between nodes. Messages between their members travel in envelopes.
namespace troupe {

/// The version of all messages between nodes and their members. Nodes with different versions
/// refuse each other.
inline constexpr std::uint32_t protocol_version = 22;

/// The first message on every connection. Its layout is the same in every version: the body is read
/// only if the versions are equal.
struct node_greeting {
  std::uint32_t protocol = protocol_version;
  std::string version; ///< of the program, for messages
  std::string body;    ///< a `node_identity`
};

/// Why a node is not accepted, or a request not carried out.
struct node_refusal {
  std::string why;
  bool for_now = false; ///< it may be accepted later
};

/// The master's answer to a greeting.
struct node_welcome {
  std::uint32_t index = 0;  ///< the node's, from 1
  machine_numbers machines; ///< the numbers of its machines
  std::string settings;     ///< of the cluster, as TOML
  std::int64_t origin = 0;  ///< when its time began, in ns since 1970 (UTC); 0: not yet
};

/// An entry of the master's registry.
struct node_entry {
  node_identity who;
  std::uint32_t index = 0;
  machine_numbers machines;
  bool present = false;
  bool draining = false;
  bool moves = false; ///< its machine is to become idle and take another place
};

/// All nodes, in the order in which they joined.
struct node_list {
  std::uint64_t version = 0;
  std::int64_t origin = 0;
  std::vector<node_entry> nodes;
  /// The machines that describe themselves, as of the beginning of the cluster. All members use
  /// these capacities from then on. In a cluster that grows: the latest machine of each place, now.
  std::vector<described_machine> described;
  std::string missing; ///< conditions missing for the cluster to begin; empty: none
  /// The orders that are the latest for any scheduler. Each scheduler is in one at most.
  std::vector<policy_order> policies;
};

/// A request for the time of another node's clock, which returns with the answer. In ns since 1970.
struct node_clock {
  std::int64_t asked = 0;    ///< by the clock of the asking node
  std::int64_t received = 0; ///< by the other node's clock; 0: this is the request
  std::int64_t answered = 0; ///< likewise
};

/// The members that live on a node, except its machines.
struct node_residents {
  std::vector<member_entry> members;
};

/// Envelopes, one after the other.
struct node_envelopes {
  std::string bytes;
};

/// The tasks of a running workload by state.
struct workload_progress {
  bool runs = false;
  bool over = false;
  instant at{0};
  std::uint64_t submitted = 0;
  std::uint64_t queued = 0;
  std::uint64_t running = 0;
  std::uint64_t placed = 0;
  std::uint64_t finished = 0;
  std::uint64_t failed = 0; ///< failed, lost for good or abandoned
  std::uint64_t conflicts = 0;
};

/// A question about a task of the workload, to the node that has it: what happened to it so far, or
/// why it is on no machine, or not on a given one.
struct story_request {
  std::string task; ///< as `troupe explain` takes it
  bool why_not = false;
  std::string machine{}; ///< why not there, as `troupe why-not` takes it; may be empty
};

/// The answer, with a status as of HTTP and its text in JSON: 200, a story; 202, it is being looked
/// for, and the same question gets the answer later; else an object with the member `error`.
struct story_reply {
  std::uint32_t status = 0;
  std::string text;
};

/// A node's regular report to the master.
struct node_report {
  std::uint32_t index = 0;
  std::vector<member_entry> members;
  std::uint32_t machines_up = 0;
  std::uint64_t tasks_running = 0; ///< on its machines
  /// It knows that it is to be drained, and owners have had a heartbeat's time to hear it from its
  /// machines.
  bool draining = false;
  std::uint64_t launched = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t sync_bytes = 0; ///< of these: snapshots
  std::uint64_t envelopes_sent = 0;
  std::uint64_t envelopes_dropped = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t cpu_ms = 0;
  workload_progress work;
  std::vector<policy_state> policies; ///< of the schedulers here that have an order
  // Measured by the master's node.
  bool clock_known = false;
  std::int64_t clock_ahead_ns = 0; ///< relative to the clock of the master's host
  std::int64_t clock_error_ns = 0; ///< at most
};

/// The data for `troupe status`.
struct cluster_report {
  std::string name;
  std::string architecture;
  std::int64_t origin = 0;
  instant now{0};
  std::uint32_t machines = 0; ///< number that the cluster is to have; if it grows, the most
  bool grows = false;
  incarnation_id master = 0;
  node_list nodes;
  std::vector<node_report> reports;       ///< the last one of each node
  std::uint64_t bytes_of_left = 0;        ///< that nodes sent which have left since
  std::uint64_t sync_bytes_of_left = 0;   ///< of these: snapshots
  std::vector<member_entry> places;       ///< all owners and schedulers of the cluster
  std::vector<scheduler_policy> policies; ///< of all schedulers, once the cluster has begun
};

template <class I>
typename I::result_type inspect(I& f, node_greeting& x) {
  return inspect_fields(f, "node_greeting", x.protocol, x.version, x.body);
}

template <class I>
typename I::result_type inspect(I& f, node_refusal& x) {
  return inspect_fields(f, "node_refusal", x.why, x.for_now);
}

template <class I>
typename I::result_type inspect(I& f, node_welcome& x) {
  return inspect_fields(f, "node_welcome", x.index, x.machines, x.settings, x.origin);
}

template <class I>
typename I::result_type inspect(I& f, node_entry& x) {
  return inspect_fields(f, "node_entry", x.who, x.index, x.machines, x.present, x.draining,
                        x.moves);
}

template <class I>
typename I::result_type inspect(I& f, node_list& x) {
  return inspect_fields(f, "node_list", x.version, x.origin, x.nodes, x.described, x.missing,
                        x.policies);
}

template <class I>
typename I::result_type inspect(I& f, node_clock& x) {
  return inspect_fields(f, "node_clock", x.asked, x.received, x.answered);
}

template <class I>
typename I::result_type inspect(I& f, node_residents& x) {
  return inspect_fields(f, "node_residents", x.members);
}

template <class I>
typename I::result_type inspect(I& f, node_envelopes& x) {
  return inspect_fields(f, "node_envelopes", x.bytes);
}

template <class I>
typename I::result_type inspect(I& f, story_request& x) {
  return inspect_fields(f, "story_request", x.task, x.why_not, x.machine);
}

template <class I>
typename I::result_type inspect(I& f, story_reply& x) {
  return inspect_fields(f, "story_reply", x.status, x.text);
}

template <class I>
typename I::result_type inspect(I& f, workload_progress& x) {
  return inspect_fields(f, "workload_progress", x.runs, x.over, x.at, x.submitted, x.queued,
                        x.running, x.placed, x.finished, x.failed, x.conflicts);
}

template <class I>
typename I::result_type inspect(I& f, node_report& x) {
  return inspect_fields(f, "node_report", x.index, x.members, x.machines_up, x.tasks_running,
                        x.draining, x.launched, x.bytes_sent, x.sync_bytes, x.envelopes_sent,
                        x.envelopes_dropped, x.memory_bytes, x.cpu_ms, x.work, x.policies,
                        x.clock_known, x.clock_ahead_ns, x.clock_error_ns);
}

template <class I>
typename I::result_type inspect(I& f, cluster_report& x) {
  return inspect_fields(f, "cluster_report", x.name, x.architecture, x.origin, x.now, x.machines,
                        x.grows, x.master, x.nodes, x.reports, x.bytes_of_left,
                        x.sync_bytes_of_left, x.places, x.policies);
}

template <class I>
typename I::result_type inspect(I& f, partition_delta& x) {
  return inspect_fields(f, "partition_delta", x.partition, x.taken_at, x.version, x.number, x.free,
                        x.versions, x.held);
}

template <class I>
typename I::result_type inspect(I& f, sync_delta& x) {
  return inspect_fields(f, "sync_delta", x.owner, x.round, x.commits_seen, x.partitions, x.used);
}

#define TROUPE_NODE_TYPES(X, Link)                                                                 \
  X(Link, node_greeting);                                                                          \
  X(Link, node_refusal);                                                                           \
  X(Link, node_roles);                                                                             \
  X(Link, machine_numbers);                                                                        \
  X(Link, machine_description);                                                                    \
  X(Link, described_machine);                                                                      \
  X(Link, policy_order);                                                                           \
  X(Link, policy_state);                                                                           \
  X(Link, policy_request);                                                                         \
  X(Link, policy_reply);                                                                           \
  X(Link, scheduler_policy);                                                                       \
  X(Link, known_node);                                                                             \
  X(Link, node_identity);                                                                          \
  X(Link, node_welcome);                                                                           \
  X(Link, node_entry);                                                                             \
  X(Link, node_list);                                                                              \
  X(Link, node_clock);                                                                             \
  X(Link, node_residents);                                                                         \
  X(Link, node_envelopes);                                                                         \
  X(Link, workload_progress);                                                                      \
  X(Link, node_report);                                                                            \
  X(Link, story_request);                                                                          \
  X(Link, story_reply);                                                                            \
  X(Link, cluster_report);                                                                         \
  X(Link, partition_delta);                                                                        \
  X(Link, sync_delta);

TROUPE_NODE_TYPES(TROUPE_INSPECTION, extern)

/// Makes an actor system know the messages between nodes. To be called before it is made.
void register_node_messages(caf::actor_system_config& config);

} // namespace troupe

// A range of ids far from those of the members' messages and of plugins.
CAF_BEGIN_TYPE_ID_BLOCK(troupe_nodes, 20000)

CAF_ADD_TYPE_ID(troupe_nodes, (troupe::cluster_report))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::node_greeting))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::node_list))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::node_envelopes))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::node_refusal))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::node_report))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::node_residents))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::node_welcome))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::sync_delta))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::node_clock))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::live_report))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::live_request))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::story_reply))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::story_request))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::output_reply))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::output_request))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::work_answer))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::work_report))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::policy_reply))
CAF_ADD_TYPE_ID(troupe_nodes, (troupe::policy_request))

CAF_ADD_ATOM(troupe_nodes, troupe, bye_atom, "bye")
CAF_ADD_ATOM(troupe_nodes, troupe, drain_atom, "drain")
CAF_ADD_ATOM(troupe_nodes, troupe, move_atom, "move")
CAF_ADD_ATOM(troupe_nodes, troupe, route_atom, "route")
CAF_ADD_ATOM(troupe_nodes, troupe, retry_atom, "retry")

CAF_END_TYPE_ID_BLOCK(troupe_nodes)
