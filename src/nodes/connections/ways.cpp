#include "nodes/connections/ways.hpp"

#include "nodes/connections/connector.hpp"

#include <caf/all.hpp>
#include <caf/io/all.hpp>
#include <caf/io/basp_broker.hpp>

namespace troupe {

namespace {

using ways_pointer = caf::stateful_actor<ways_state>*;
using actor_interface = std::set<std::string>;

caf::error no_connection(const std::string& why) {
  return caf::make_error(caf::sec::cannot_connect_to_node, why);
}

/// Notes that the other side has just been heard; runs in CAF's network loop. The broker itself
/// does so with the first message only: for its time-out, a new connection has been silent since
/// the host started, so a heartbeat before the first message would close the connection.
void note_heard(const caf::actor& basp, caf::io::connection_handle connection) {
  auto& broker = *static_cast<caf::io::basp_broker*>(caf::actor_cast<caf::abstract_actor*>(basp));
  if (broker.getf(caf::abstract_actor::is_terminated_flag))
    return;
  auto& entry = broker.ctx[connection];
  entry.hdl = connection;
  entry.last_seen = broker.clock().now();
}

/// Reports the outcome of an attempt; runs in the thread of connections.
void tell_outcome(const caf::actor& self, const caf::actor& basp, std::uint64_t attempt,
                  caf_socket socket, const std::string& why) {
  if (socket < 0)
    return caf::anon_send(self, attempt, why);
  auto& loop = loop_of(self.home_system());
  loop.post([self, basp, attempt, scribe = loop.new_scribe(socket)] {
    note_heard(basp, scribe->hdl());
    caf::anon_send(self, attempt, scribe);
  });
}

/// Asks CAF for the actor that is published at the other end.
void ask_for_actor(ways_pointer self, const caf::actor& basp, const caf::io::scribe_ptr& scribe,
                   caf::response_promise answer) {
  self->request(basp, caf::infinite, caf::connect_atom_v, scribe, std::uint16_t{0})
    .then([answer](const caf::node_id& node, const caf::strong_actor_ptr& found,
                   const actor_interface& is) mutable { answer.deliver(node, found, is); },
          [answer](const caf::error& why) mutable { answer.deliver(why); });
}

caf::response_promise take_waiting(ways_pointer self, std::uint64_t attempt) {
  auto node = self->state.waiting.extract(attempt);
  return node.empty() ? caf::response_promise{} : std::move(node.mapped());
}

} // namespace

caf::behavior ways(ways_pointer self, std::shared_ptr<connection_context> context,
                   const caf::actor& basp) {
  return {[self, context, basp](caf::connect_atom, const std::string& host, std::uint16_t port)
            -> caf::result<caf::node_id, caf::strong_actor_ptr, actor_interface> {
            auto& state = self->state;
            const auto attempt = ++state.attempts;
            auto answer =
              self->make_response_promise<caf::node_id, caf::strong_actor_ptr, actor_interface>();
            state.waiting.emplace(attempt, answer);
            connector::connect(
              context, host, port,
              [to = caf::actor{self}, basp, attempt](caf_socket socket, const std::string& why) {
                tell_outcome(to, basp, attempt, socket, why);
              });
            return answer;
          },
          // INTERNAL: a connection is established.
          [self, basp](std::uint64_t attempt, const caf::io::scribe_ptr& scribe) {
            ask_for_actor(self, basp, scribe, take_waiting(self, attempt));
          },
          // INTERNAL: the attempt has failed.
          [self](std::uint64_t attempt, const std::string& why) {
            take_waiting(self, attempt).deliver(no_connection(why));
          }};
}

caf::io::network::default_multiplexer& loop_of(caf::actor_system& system) {
  return static_cast<caf::io::network::default_multiplexer&>(system.middleman().backend());
}

} // namespace troupe
