#pragma once

#include "actors/messages.hpp"
#include "nodes/clock_offset.hpp"
#include "nodes/connections/peer_register.hpp"
#include "nodes/node_register.hpp"
#include "nodes/post.hpp"

#include <caf/behavior.hpp>
#include <caf/stateful_actor.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace troupe {

struct host_port {
  std::string host;
  std::uint16_t port = 0;
};

/// What a gateway needs of its node.
struct gateway_config {
  node_identity who;
  std::optional<host_port> join;    ///< where the master is; nothing on the master's own node
  std::string settings;             ///< of the cluster, as TOML, on the master's node
  std::uint32_t machines = 0;       ///< that the cluster is to have, likewise
  bool has_owners = true;           ///< whether it is to have partition owners, likewise
  std::uint32_t expected_nodes = 0; ///< the cluster begins when so many are there; 0: when it can
  std::shared_ptr<post> mail;
  std::chrono::microseconds mail_delay{1000}; ///< how long messages wait for others to go with
  std::chrono::milliseconds first_retry{50};  ///< of a connection that failed; doubled each time
  std::chrono::milliseconds last_retry{1000};
  std::chrono::milliseconds report_interval{500};
  /// Members move one at a time from full nodes to idle ones, this far apart.
  std::chrono::milliseconds level_interval{5000};

  // What the node does; called in the gateway's thread.
  std::function<void(const node_welcome&)> welcome; ///< it has been taken in
  std::function<void(const node_list&)> learn;      ///< who is there has changed
  std::function<node_report()> report;
  std::function<void(const std::string&)> fail; ///< it can never be taken in, and why
  std::function<void()> alone;                  ///< it is to leave and has no line to the master
  std::function<void(const member&)> hand_over; ///< on the master's node: a member is to move
  std::function<cluster_report(const node_list&)> describe; ///< likewise
  /// What it takes for the cluster to begin, as far as this node knows; empty: nothing.
  std::function<void(const std::string&)> waits;
  std::function<std::int64_t()> time; ///< in ns since 1970; none: the host's
  caf::actor ways;                    ///< who connects to others: see `node_network::ways`
  /// Returns whom an actor's connection belongs to; null: nobody. None: this is not checked.
  std::function<verified_peer(const caf::actor&)> peer_of;
};

/// The line to one other node.
struct node_line {
  std::string name; ///< empty while it is only known where the master listens
  peer_id number = 0;
  std::optional<host_port> at; ///< where to connect; nothing: it will come
  caf::actor handle;           ///< none while the line is down
  std::uint64_t boot = 0;      ///< of the other side
  std::chrono::milliseconds backoff{50};
  bool connecting = false;
  bool said_so = false; ///< that it cannot be reached
  bool ended = false;   ///< the other side has said that it ends
  clock_offset clock;
  bool clock_apart = false; ///< the log says so
};

class gateway_state {
public:
  static inline const char* name = "gateway";

  gateway_state() = default;

  gateway_config config;
  std::optional<node_register> book; ///< on the master's node
  std::map<std::string, node_line> lines;
  std::optional<node_line> to_master; ///< until its name is known
  std::string master;                 ///< the name of its node, once that is known
  node_list known;
  std::map<std::uint32_t, node_report> reports; ///< by node, on the master's node
  std::map<std::uint32_t, std::chrono::steady_clock::time_point> drained_from;
  std::chrono::steady_clock::time_point
    levelled{};          ///< when a member was last moved to an idle node
  bool welcomed = false; ///< taken in by the master
  bool leaving = false;
  std::string waiting; ///< why it has not been taken in

  bool is_master() const { return book.has_value(); }
};

/// A node's way to the others: joins through the master, connects to every node, again and again,
/// carries the post, and keeps the book of nodes where the master is. A pair of nodes has one line:
/// the one with the greater name connects, but to the master everyone does.
caf::behavior gateway(caf::stateful_actor<gateway_state>* self, gateway_config config);

} // namespace troupe
