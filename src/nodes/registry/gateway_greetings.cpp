#include "nodes/registry/gateway_greetings.hpp"

#include "model/base/log.hpp"
#include "nodes/registry/gateway_master.hpp"
#include "nodes/registry/identity_text.hpp"
#include "nodes/registry/refusal_log.hpp"

#include <caf/all.hpp>

namespace troupe {

namespace {

void refuse(gateway_pointer self, const caf::actor& who, const std::string& why) {
  const auto& name = self->state.config.who.name;
  log_refusal(log::level::warn, "refused nodes", name, "a node is refused: " + why);
  self->send(who, node_refusal{"refused by " + name + ": " + why});
}

/// Returns whether a master is to be followed: none of an earlier term than the last one, which has
/// lost the role, and no second one of the same. Parts with the one before.
bool is_new_master(gateway_pointer self, const node_identity& who) {
  auto& state = self->state;
  const bool other = master_connection(self) && state.master != who.name;
  if (who.term < state.term || (other && who.term == state.term)) {
    log_refusal(log::level::warn, "former masters", state.config.who.name,
                "node " + who.name + " was the master in term " + std::to_string(who.term) +
                  ", and now it is term " + std::to_string(state.term));
    return false;
  }
  if (other) {
    auto& last = state.connections[state.master];
    log::info("node {}: {} is the master now, and not {}", state.config.who.name, who.name,
              last.name);
    self->demonitor(last.handle);
    last.handle = nullptr;
    state.config.mail->disconnect(last.number);
  }
  return true;
}

} // namespace

void greet(gateway_pointer self, const node_greeting& hello) {
  auto& state = self->state;
  const auto from = caf::actor_cast<caf::actor>(self->current_sender());
  if (!from)
    return;
  if (hello.protocol != protocol_version) {
    const auto why = "it speaks protocol " + std::to_string(hello.protocol) + " (troupe " +
                     hello.version.substr(0, 64) + "), this node protocol " +
                     std::to_string(protocol_version) + " (troupe " TROUPE_VERSION ")";
    refuse(self, from, why);
    return;
  }
  const auto who = read_identity(self->system(), hello.body);
  if (!who) {
    log_refusal(log::level::warn, "greetings that cannot be read", state.config.who.name,
                "a greeting that cannot be read");
    return;
  }
  if (const auto why = why_not_from(self, from, *who); !why.empty()) {
    refuse(self, from, why);
    return;
  }
  if (who->observes) {
    self->send(from, greeting_of(self));
    return;
  }
  if (const auto why = why_no_node(*who); !why.empty()) {
    refuse(self, from, why);
    return;
  }
  if (state.config.join.empty() && !state.is_master())
    return; // it is not the master yet: the other side asks again
  if (self->state.is_master()) {
    take_in(self, *who, from);
    return;
  }
  if (who->roles.master && !is_new_master(self, *who))
    return;
  const bool answers = [&] { // to the greeting of this node
    const auto* connection = find_connection(self, who->name);
    return who->roles.master || (connection != nullptr && connection->at.has_value());
  }();
  if (!answers)
    self->send(from, greeting_of(self));
  adopt(self, *who, from);
}

void refused(gateway_pointer self, const node_refusal& refusal) {
  auto& state = self->state;
  log_refusal(log::level::warn, "refusals by others", state.config.who.name, refusal.why);
  if (state.welcomed && (state.known.origin != 0 || !is_from_master(self)))
    return;
  if (!refusal.for_now)
    state.config.fail(refusal.why);
  state.waiting = refusal.why;
  tell_what_is_missing(self);
}

void connection_is_down(gateway_pointer self, const caf::actor_addr& who, const caf::error& why) {
  auto& state = self->state;
  for (auto& [name, connection] : state.connections) {
    if (!connection.handle || connection.handle.address() != who)
      continue;
    if (connection.ended)
      log::info("node {}: {} has shut down gracefully", state.config.who.name, name);
    else
      log::info("node {}: connection to {} is down: {}", state.config.who.name, name,
                self->system().render(why));
    connection.handle = nullptr;
    state.passed.fail(who, caf::make_error(caf::sec::runtime_error,
                                           "the connection to the node " + name + " has broken"));
    state.config.mail->disconnect(connection.number);
    if (self->state.is_master()) {
      state.book->lost(name, connection.boot);
      publish_list(self);
      begin_if_complete(self);
    }
    if (connection.at)
      try_later(self, connection);
    if (name == state.master)
      look_for_master(self);
    if (state.leaving && name == state.master)
      state.config.alone();
    if (self->state.is_master())
      forget_left(self);
    return;
  }
}

} // namespace troupe
