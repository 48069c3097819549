#pragma once

#include "actors/protocol/messages.hpp"
#include "nodes/clocks/clock_offset.hpp"
#include "nodes/connections/peer_register.hpp"
#include "nodes/registry/host_port.hpp"
#include "nodes/registry/node_registry.hpp"
#include "nodes/registry/open_questions.hpp"
#include "nodes/registry/passed_questions.hpp"
#include "nodes/routing/message_router.hpp"
#include "nodes/routing/send_pacer.hpp"

#include <caf/behavior.hpp>
#include <caf/stateful_actor.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// Configuration of a gateway by its node.
struct gateway_config {
  node_identity who;
  /// Addresses of the nodes that may have the master, of which one has it; none on that node.
  std::vector<host_port> join;
  std::string settings;       ///< of the cluster, as TOML, on the master's node
  std::uint32_t machines = 0; ///< number that the cluster is to have, likewise
  /// In a cluster that grows, on the master's node: the partition of each place for a machine.
  std::vector<std::uint32_t> partition_of;
  resources greatest_machine;                   ///< likewise: the greatest capacity of a machine
  std::chrono::milliseconds place_rest{35'000}; ///< likewise: before another machine gets a place
  /// Likewise: when a machine that is gone counts as having left.
  std::chrono::milliseconds gone_patience{600'000};
  bool has_owners = true;    ///< whether the cluster is to have partition owners, likewise
  incarnation_id master = 1; ///< the incarnation of the master, likewise
  /// Number of nodes before the cluster begins; 0: as soon as it can.
  std::uint32_t expected_nodes = 0;
  std::shared_ptr<message_router> mail;
  std::chrono::microseconds mail_interval{1000}; ///< the least time between two sendings of mail
  std::chrono::milliseconds first_retry{50};     ///< after a failed connection; doubled each time
  std::chrono::milliseconds last_retry{1000};
  std::chrono::milliseconds report_interval{500};
  /// Time between the moves of single members from full nodes to idle ones.
  std::chrono::milliseconds level_interval{5000};

  // The reactions of the node; called in the gateway's thread.
  std::function<void(const node_welcome&)> welcome; ///< the master has accepted the node
  std::function<void(const node_list&)> learn;      ///< the list of nodes has changed
  std::function<node_report()> report;
  std::function<void(const std::string&)> fail; ///< the node can never be accepted, with the reason
  std::function<void()> alone; ///< it is to leave and has no connection to the master
  std::function<void(const member&)> hand_over; ///< on the master's node: a member is to move
  std::function<cluster_report(const node_list&)> describe; ///< likewise
  /// Likewise: makes the orders that a client asks for, later than `after`.
  std::function<policy_reply(const policy_request&, instant after)> plan_policies;
  /// Likewise: keeps orders of a cluster that began at `origin`, and says, from any thread, whether
  /// they are durable. Not set: there is no store.
  std::function<void(const std::vector<policy_order>&, std::int64_t origin,
                     std::function<void(bool durable)>)>
    keep_policies;
  std::vector<policy_order> kept_policies; ///< likewise, earlier; times are in ns since 1970
  /// On the node with the workload: its measurements, for the live displays.
  std::function<live_report(const live_request&)> live;
  /// Likewise: looks for what happened to a task, and passes it on, soon and from any thread.
  std::function<void(const story_request&, std::function<void(story_reply)>)> story;
  /// Likewise: the job service. Passes its answer on, from any thread; nothing if it has none.
  std::function<void(const work_report&, std::function<void(std::optional<work_answer>)>)> work;
  /// What a command on this node has written.
  std::function<output_reply(const output_request&)> output;
  /// The conditions that the cluster still needs to begin, as far as this node knows; empty: none.
  std::function<void(const std::string&)> waits;
  std::function<std::int64_t()> time; ///< in ns since 1970; null: the host's
  caf::actor ways;                    ///< makes connections: see `node_network::ways`
  /// Returns the peer of an actor's connection; null if there is none. Not set: peers are not
  /// checked.
  std::function<verified_peer(const caf::actor&)> peer_of;
};

/// The connection to one other node.
struct node_connection {
  std::string name; ///< of an entrance: "@" and its number
  peer_id number = 0;
  std::optional<host_port> at; ///< where to connect; none: the other side connects
  caf::actor handle;           ///< null while the connection is down
  std::uint64_t boot = 0;      ///< of the other side
  std::chrono::milliseconds backoff{50};
  bool connecting = false;
  bool waits_to_retry = false;
  bool said_so = false; ///< it was logged that the node cannot be reached
  bool ended = false;   ///< the other side has announced its end
  clock_offset clock;
  bool clock_apart = false; ///< the difference of the clocks was logged
};

class gateway_state {
public:
  static inline const char* name = "gateway";

  gateway_state() = default;

  gateway_config config;
  std::optional<node_registry> book; ///< on the master's node
  std::map<std::string, node_connection> connections;
  std::shared_ptr<send_pacer> pacer; ///< of mail; used by the threads that write it
  /// To the addresses in `join`, which are tried while there is no connection to the master.
  std::vector<node_connection> entrances;
  std::string master;      ///< the name of its node, once known
  incarnation_id term = 0; ///< of that master
  node_list known;
  std::map<std::uint32_t, node_report> reports; ///< by node, on the master's node
  std::uint64_t bytes_of_left = 0;              ///< that nodes sent which have left since
  std::uint64_t sync_bytes_of_left = 0;         ///< of these: snapshots
  std::map<std::uint32_t, std::chrono::steady_clock::time_point> drained_from;
  std::chrono::steady_clock::time_point made_at = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point
    levelled{}; ///< time of the last move of a member to an idle node
  open_questions<story_reply> stories;
  open_questions<work_answer> works;
  open_questions<policy_reply> orders;
  passed_questions passed;
  instant ordered{0};    ///< the time of the latest order that was planned
  bool welcomed = false; ///< accepted by the master
  bool leaving = false;
  std::string waiting; ///< why it has not been accepted

  bool is_master() const { return book.has_value(); }
};

/// A node's connections to the others. Joins through the master, connects to every node and
/// reconnects, carries the messages, and on the master's node keeps the registry. A pair of nodes
/// has one connection: the node with the greater name connects, but every node connects to the
/// master.
caf::behavior gateway(caf::stateful_actor<gateway_state>* self, gateway_config config);

} // namespace troupe
