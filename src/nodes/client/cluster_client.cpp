#include "nodes/client/cluster_client.hpp"

#include "actors/protocol/messages.hpp"
#include "nodes/agent/node_system.hpp"
#include "nodes/connections/node_network.hpp"
#include "nodes/registry/error_text.hpp"
#include "nodes/registry/identity_text.hpp"
#include "report/text/printable.hpp"

#include <caf/all.hpp>
#include <caf/io/all.hpp>

#include <set>
#include <stdexcept>
#include <unistd.h>

namespace troupe {

namespace {

/// Limit for text from the other side.
constexpr std::size_t longest_text = 1000;

constexpr auto heartbeat = std::chrono::milliseconds{500};

/// Returns the introduction of this client.
network_options network_of(const cluster_client_options& options) {
  network_options network{.name = "client", .files = options.credentials};
  if (options.credentials)
    network.name =
      check_tls_files(*options.credentials, std::chrono::system_clock::now()).certified.name;
  network.limits.connect = network.limits.silence = options.patience;
  return network;
}

std::string wrong_version(std::uint32_t protocol, const std::string& version) {
  return "it speaks protocol " + std::to_string(protocol) + " (troupe " + version +
         "), this program protocol " + std::to_string(protocol_version) +
         " (troupe " TROUPE_VERSION "); expected the same on both sides";
}

} // namespace

class cluster_client::connection {
public:
  explicit connection(const cluster_client_options& options)
    : options_(options),
      config_(options),
      system_(config_),
      network_(system_, thread_, network_of(options)),
      self_(system_) {
    connect();
    greet();
  }

  // Each question has an actor of its own: CAF keeps the time-outs of answered questions in the
  // mailbox of a blocking actor, where every later question steps over them.
  template <class Result, class... Words>
  Result ask(Words... words) {
    std::optional<Result> result;
    caf::scoped_actor asks{system_};
    asks->request(way_, options_.patience, words...)
      .receive([&](Result& r) { result = std::move(r); },
               [&](const caf::error& why) { refuse(error_text(system_, why)); });
    return std::move(*result);
  }

private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw std::runtime_error(address_text(options_.at) + ": " + printable(why, longest_text));
  }

  void connect() {
    // Each step of a connection has its own limit.
    self_
      ->request(network_.ways(), 4 * options_.patience, caf::connect_atom_v, options_.at.host,
                options_.at.port)
      .receive([&](const caf::node_id&, const caf::strong_actor_ptr& found,
                   const std::set<std::string>&) { way_ = caf::actor_cast<caf::actor>(found); },
               [&](const caf::error& why) { refuse(error_text(system_, why)); });
    if (!way_)
      refuse("it is not a node of a cluster");
  }

  void greet() {
    node_identity who;
    who.name = "client";
    who.pid = getpid();
    who.observes = true;
    self_->send(way_,
                node_greeting{protocol_version, TROUPE_VERSION, write_identity(system_, who)});
    bool answered = false;
    self_->receive(
      [&](const node_greeting& hello) {
        if (hello.protocol != protocol_version)
          refuse(wrong_version(hello.protocol, hello.version));
        answered = true;
      },
      [&](const node_refusal& refusal) { refuse(refusal.why); },
      caf::after(options_.patience) >> [] {});
    if (!answered)
      refuse("it does not answer like a node");
  }

  /// The time-outs of the cluster's nodes determine when a connection counts as cut; a client is
  /// patient.
  struct cluster_client_config : caf::actor_system_config {
    explicit cluster_client_config(const cluster_client_options& options) {
      configure_node_system(*this, heartbeat, options.patience);
    }
  };

  cluster_client_options options_;
  cluster_client_config config_;
  io_thread thread_;
  caf::actor_system system_;
  node_network network_;
  caf::scoped_actor self_;
  caf::actor way_;
};

cluster_client::cluster_client(const cluster_client_options& options)
  : connection_(std::make_unique<connection>(options)) {}

cluster_client::~cluster_client() = default;

cluster_report cluster_client::status() {
  return connection_->ask<cluster_report>(status_atom_v);
}

live_report cluster_client::live(const live_request& asked) {
  return connection_->ask<live_report>(asked);
}

story_reply cluster_client::story(const story_request& asked) {
  return connection_->ask<story_reply>(asked);
}

void cluster_client::drain(const std::string& node) {
  connection_->ask<caf::ok_atom>(drain_atom_v, node);
}

policy_reply cluster_client::change_policies(const policy_request& asked) {
  return connection_->ask<policy_reply>(asked);
}

} // namespace troupe
