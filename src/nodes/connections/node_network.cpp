#include "nodes/connections/node_network.hpp"

#include "nodes/connections/acceptor.hpp"
#include "nodes/connections/doorman.hpp"
#include "nodes/connections/tls_context.hpp"
#include "nodes/connections/ways.hpp"

#include <caf/all.hpp>
#include <caf/io/all.hpp>
#include <caf/io/basp_broker.hpp>
#include <caf/serializer_impl.hpp>

#include <future>

namespace troupe {

namespace {

/// Returns CAF's id of an actor system, as its messages contain it.
std::string instance_of(const caf::node_id& id) {
  std::string bytes;
  caf::serializer_impl<std::string> sink{nullptr, bytes};
  auto copy = id;
  if (sink(copy))
    return {};
  return bytes;
}

} // namespace

node_network::node_network(caf::actor_system& system, io_thread& thread,
                           const network_options& options)
  : system_(system),
    context_(std::make_shared<connection_context>(thread.context(), options.limits)),
    basp_(system.middleman().named_broker<caf::io::basp_broker>(caf::atom("BASP"))) {
  context_->files = options.files;
  if (options.files)
    context_->tls = make_tls_context(*options.files);
  context_->own = {options.name, options.roles, instance_of(system.node())};
  context_->log_name = options.log_name;
  ways_ = system.spawn(troupe::ways, context_, basp_);
}

node_network::~node_network() {
  for (const auto& listens : listening_)
    listens->stop();
  std::promise<void> done;
  asio::post(context_->io, [this, &done] {
    context_->closed = true;
    done.set_value();
  });
  done.get_future().wait();
  caf::anon_send_exit(ways_, caf::exit_reason::kill);
}

std::uint16_t node_network::publish(const caf::actor& whom, const std::string& host,
                                    std::uint16_t port) {
  const auto listens = std::make_shared<acceptor>(context_, host, port);
  const auto door =
    caf::make_counted<doorman>(loop_of(system_), listens->port(), [listens] { listens->stop(); });
  caf::anon_send(basp_, caf::publish_atom_v, caf::io::doorman_ptr{door}, listens->port(),
                 caf::actor_cast<caf::strong_actor_ptr>(whom), std::set<std::string>{});
  listening_.push_back(listens);
  listens->start([door](caf_socket socket) { door->pass(socket); });
  return listens->port();
}

verified_peer node_network::peer_of(const connection_context& context, const caf::actor& who) {
  return context.peers.find(instance_of(who.node()));
}

} // namespace troupe
