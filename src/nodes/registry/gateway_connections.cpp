#include "nodes/registry/gateway_connections.hpp"

#include "model/base/log.hpp"
#include "nodes/connections/peer_check.hpp"
#include "nodes/registry/error_text.hpp"
#include "nodes/registry/identity_text.hpp"

#include <caf/all.hpp>
#include <caf/io/all.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace troupe {

namespace {

bool is_entrance(const node_connection& connection) {
  return connection.name.starts_with('@');
}

std::string addresses_of(const std::vector<host_port>& all) {
  std::string text;
  for (const auto& at : all)
    text += (text.empty() ? "" : ", ") + address_text(at);
  return text;
}

void retry_after(gateway_pointer self, node_connection& connection,
                 std::chrono::milliseconds pause) {
  if (!std::exchange(connection.waits_to_retry, true))
    self->delayed_send(self, pause, retry_atom_v, connection.name);
}

/// Returns whether a connection leads, or would lead, to a node that is connected already.
bool is_up(gateway_pointer self, const node_connection& connection) {
  return connection.handle || (is_entrance(connection) && master_connection(self));
}

} // namespace

node_greeting greeting_of(gateway_pointer self) {
  auto who = self->state.config.who;
  return {protocol_version, TROUPE_VERSION, write_identity(self->system(), who)};
}

caf::actor master_connection(gateway_pointer self) {
  const auto& state = self->state;
  const auto it = state.connections.find(state.master);
  return it == state.connections.end() ? caf::actor{} : it->second.handle;
}

void try_later(gateway_pointer self, node_connection& connection) {
  retry_after(self, connection, connection.backoff);
  connection.backoff = std::min(connection.backoff * 2, self->state.config.last_retry);
}

std::string entrance_name(std::size_t number) {
  return '@' + std::to_string(number);
}

node_connection* find_connection(gateway_pointer self, const std::string& name) {
  auto& state = self->state;
  for (auto& connection : state.entrances)
    if (connection.name == name)
      return &connection;
  const auto it = state.connections.find(name);
  return it == state.connections.end() ? nullptr : &it->second;
}

node_connection* connection_of_sender(gateway_pointer self) {
  const auto& sender = self->current_sender();
  if (!sender)
    return nullptr;
  for (auto& [name, connection] : self->state.connections)
    if (connection.handle && connection.handle.address() == sender->address())
      return &connection;
  return nullptr;
}

std::string not_the_master(gateway_pointer self) {
  const auto& state = self->state;
  auto text = "node " + state.config.who.name + " does not have the role master";
  for (const auto& e : state.known.nodes)
    if (e.who.roles.master)
      text += "; that is " + e.who.name + " at " + address_text({e.who.host, e.who.port});
  return text;
}

void tell_what_is_missing(gateway_pointer self) {
  const auto& state = self->state;
  if (!state.config.waits)
    return;
  if (state.welcomed)
    state.config.waits(state.known.origin == 0 ? state.known.missing : "");
  else if (!state.waiting.empty())
    state.config.waits(state.waiting);
  else if (!state.config.join.empty())
    state.config.waits("the node with the role master at " + addresses_of(state.config.join));
}

void look_for_master(gateway_pointer self) {
  for (auto& connection : self->state.entrances) {
    connection.backoff = self->state.config.first_retry;
    connect(self, connection.name);
  }
}

void connect(gateway_pointer self, const std::string& name) {
  auto* connection = find_connection(self, name);
  if (connection == nullptr || is_up(self, *connection) || connection->connecting ||
      !connection->at)
    return;
  connection->connecting = true;
  const auto failed = [self, name](const std::string& why) {
    auto* of = find_connection(self, name);
    if (of == nullptr)
      return;
    of->connecting = false;
    if (is_up(self, *of))
      return;
    if (!std::exchange(of->said_so, true))
      log::warn("node {}: {} at {} cannot be reached and is tried again: {}",
                self->state.config.who.name, is_entrance(*of) ? "the master" : name,
                address_text(*of->at), why);
    if (is_entrance(*of)) {
      self->state.waiting = "the node with the role master at " +
                            addresses_of(self->state.config.join) + " cannot be reached: " + why;
      tell_what_is_missing(self);
    }
    try_later(self, *of);
  };
  self
    ->request(self->state.config.ways, connect_patience, caf::connect_atom_v, connection->at->host,
              connection->at->port)
    .then(
      [self, name, failed](const caf::node_id&, const caf::strong_actor_ptr& found,
                           const std::set<std::string>&) {
        auto* to = find_connection(self, name);
        if (to == nullptr)
          return;
        to->connecting = false;
        if (is_up(self, *to))
          return;
        if (!found)
          return failed("there is no answer");
        self->send(caf::actor_cast<caf::actor>(found), greeting_of(self));
        retry_after(self, *to, request_patience);
      },
      [self, failed](caf::error& why) { failed(error_text(self->system(), why)); });
}

std::string why_not_from(gateway_pointer self, const caf::actor& from, const node_identity& who) {
  const auto& config = self->state.config;
  if (!config.peer_of)
    return "";
  const auto peer = config.peer_of(from);
  if (!peer)
    return "its connection is closed";
  if (who.observes)
    return "";
  return why_not_certified(who.name, names_of(who.roles), {peer->name, peer->roles});
}

bool is_from_master(gateway_pointer self) {
  const auto& config = self->state.config;
  // Others are not followed: one that has lost the role may not know it yet.
  const auto* connection = connection_of_sender(self);
  if (connection == nullptr || connection->name != self->state.master)
    return false;
  if (!config.peer_of)
    return true;
  const auto peer = config.peer_of(connection->handle);
  return peer && peer->roles.contains("master");
}

void send_residents(gateway_pointer self, const caf::actor& to) {
  self->send(to, node_residents{self->state.config.mail->residents()});
}

void adopt(gateway_pointer self, const node_identity& who, const caf::actor& to) {
  auto& state = self->state;
  auto& connection = state.connections[who.name];
  connection.name = who.name;
  connection.number = state.config.mail->peer(who.name);
  if (connection.handle && connection.handle != to)
    self->demonitor(connection.handle);
  connection.handle = to;
  connection.boot = who.boot;
  connection.connecting = connection.said_so = connection.ended = connection.clock_apart = false;
  connection.clock = {};
  connection.backoff = state.config.first_retry;
  self->monitor(to);
  if (who.roles.master) {
    state.master = who.name;
    state.term = who.term;
    for (auto& entrance : state.entrances)
      entrance.connecting = entrance.said_so = false;
  }
  state.config.mail->connect(connection.number);
  send_residents(self, to);
  log::info("node {}: connection to {} is up", state.config.who.name, who.name);
}

void learn(gateway_pointer self, const node_list& list) {
  auto& state = self->state;
  state.known = list;
  for (const auto& e : list.nodes) {
    const auto number = state.config.mail->peer(e.who.name);
    if (e.who.name == state.config.who.name)
      continue;
    state.config.mail->learn_machines(number, e.machines.first, e.machines.count);
    auto& connection = state.connections[e.who.name];
    connection.name = e.who.name;
    connection.number = number;
    if (state.config.who.name > e.who.name && !e.who.roles.master && !self->state.is_master()) {
      const host_port at{e.who.host, e.who.port};
      const bool moved = connection.at != at;
      connection.at = at;
      if (moved || !connection.waits_to_retry)
        connect(self, e.who.name);
    }
  }
  std::erase_if(state.connections, [&](const auto& l) {
    return !l.second.handle && std::ranges::none_of(list.nodes, [&](const node_entry& e) {
      return e.who.name == l.first;
    });
  });
  state.config.learn(list);
  tell_what_is_missing(self);
}

} // namespace troupe
