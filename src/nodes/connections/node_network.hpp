#pragma once

#include "nodes/connections/connection_context.hpp"
#include "nodes/connections/io_thread.hpp"

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace troupe {

class acceptor;

/// The identity of this process, and its network options.
struct network_options {
  std::string name;                 ///< of the node or the client, as in its certificate
  std::set<std::string> roles{};    ///< empty: a client
  std::optional<tls_files> files{}; ///< none: no encryption, and names are not verified
  std::string log_name{};           ///< name of the node in the log; empty: no log
  connection_limits limits{};
};

/// The connections of an actor system to others. Boost.Asio makes, encrypts, checks and limits
/// them; CAF's middleman, which receives them once they are established, carries messages over
/// them. Must be destroyed before the actor system, and that before the thread.
class node_network {
public:
  /// Throws `security_error` if the files cannot be used.
  node_network(caf::actor_system& system, io_thread& thread, const network_options& options);
  node_network(const node_network&) = delete;
  node_network& operator=(const node_network&) = delete;

  /// Makes and accepts no more connections. Existing ones continue until CAF closes them.
  ~node_network();

  /// Returns the actor that makes connections. It answers
  ///   (connect_atom, host, port) -> (node_id, actor that is published there, its interface)
  /// or, if it fails, with the error `sec::cannot_connect_to_node` and the reason as the end of a
  /// sentence.
  const caf::actor& ways() const { return ways_; }

  /// Listens, and gives connecting processes access to an actor. `host` is a name or an address;
  /// port 0: a free one, which is returned. Throws `boost::system::system_error` if it cannot
  /// listen.
  std::uint16_t publish(const caf::actor& whom, const std::string& host, std::uint16_t port);

  /// Returns the verified identity of the process in which an actor lives; null if there is no
  /// connection to it. May be called from any thread while the actor system exists.
  static verified_peer peer_of(const connection_context& context, const caf::actor& who);

  const std::shared_ptr<connection_context>& context() const { return context_; }

private:
  caf::actor_system& system_;
  std::shared_ptr<connection_context> context_;
  caf::actor basp_; ///< CAF's broker of the connections between actor systems
  caf::actor ways_;
  std::vector<std::shared_ptr<acceptor>> listening_;
};

} // namespace troupe
