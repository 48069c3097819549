#include "nodes/gateway.hpp"

#include "actors/handlers.hpp"
#include "actors/messages.hpp"
#include "nodes/gateway_master.hpp"
#include "nodes/identity_text.hpp"

#include <caf/all.hpp>
#include <caf/io/all.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace troupe {

namespace {

void line_is_down(gateway_pointer self, const caf::actor_addr& who, const caf::error& why) {
  auto& state = self->state;
  for (auto& [name, line] : state.lines) {
    if (!line.handle || line.handle.address() != who)
      continue;
    spdlog::info("node {}: the line to {} is down: {}", state.config.who.name, name,
                 self->system().render(why));
    line.handle = nullptr;
    state.config.mail->disconnect(line.number);
    if (self->state.is_master()) {
      state.book->lost(name, line.boot);
      publish_list(self);
    }
    if (line.at)
      try_later(self, line);
    if (state.leaving && name == state.master)
      state.config.alone();
    return;
  }
}

std::string not_the_master(gateway_pointer self) {
  const auto& state = self->state;
  auto text = "node " + state.config.who.name + " does not have the role master";
  for (const auto& e : state.known.nodes)
    if (e.who.roles.master)
      text += "; that is " + e.who.name + " at " + e.who.host + ':' + std::to_string(e.who.port);
  return text;
}

/// Somebody has connected and says who that is; or answers our own greeting.
void greet(gateway_pointer self, const node_greeting& hello) {
  auto& state = self->state;
  const auto from = caf::actor_cast<caf::actor>(self->current_sender());
  if (!from)
    return;
  if (hello.protocol != protocol_version) {
    const auto why = "it speaks protocol " + std::to_string(hello.protocol) + " (troupe " +
                     hello.version + "), this node protocol " + std::to_string(protocol_version) +
                     " (troupe " TROUPE_VERSION ")";
    spdlog::warn("node {}: a node is refused: {}", state.config.who.name, why);
    self->send(from, node_refusal{"refused by " + state.config.who.name + ": " + why});
    return;
  }
  const auto who = read_identity(self->system(), hello.body);
  if (!who) {
    spdlog::warn("node {}: a greeting that cannot be read", state.config.who.name);
    return;
  }
  if (who->observes) {
    self->send(from, greeting_of(self));
    return;
  }
  if (self->state.is_master()) {
    take_in(self, *who, from);
    return;
  }
  if (state.to_master && who->roles.master) {
    auto line = std::move(*state.to_master);
    state.to_master.reset();
    line.name = who->name;
    state.lines[who->name] = std::move(line);
  }
  const bool answers = [&] {
    const auto* line = find_line(self, who->name);
    return line != nullptr && line->at.has_value();
  }();
  if (!answers)
    self->send(from, greeting_of(self));
  adopt(self, *who, from);
}

void refused(gateway_pointer self, const node_refusal& refusal) {
  auto& state = self->state;
  spdlog::warn("node {}: {}", state.config.who.name, refusal.why);
  if (!refusal.for_now && !state.welcomed)
    state.config.fail(refusal.why);
}

void tick(gateway_pointer self) {
  auto& state = self->state;
  self->delayed_send(self, state.config.report_interval, caf::tick_atom_v);
  if (!state.welcomed)
    return;
  auto report = state.config.report();
  if (self->state.is_master()) {
    state.reports[report.index] = std::move(report);
    level(self);
    return;
  }
  if (const auto master = master_line(self))
    self->send(master, report);
}

void start(gateway_pointer self, std::uint16_t port) {
  auto& state = self->state;
  state.config.who.port = port;
  self->delayed_send(self, state.config.report_interval, caf::tick_atom_v);
  if (!state.config.join) {
    become_master(self);
    return;
  }
  node_line line;
  line.at = state.config.join;
  line.backoff = state.config.first_retry;
  state.to_master = std::move(line);
  connect(self, "");
}

/// Takes what the node does about news; what is wrong with them ends it.
template <class Function>
void heed(gateway_pointer self, Function function) {
  try {
    function();
  } catch (const std::exception& e) {
    self->state.config.fail(e.what());
  }
}

} // namespace

caf::behavior gateway(caf::stateful_actor<gateway_state>* self, gateway_config config) {
  install_handlers(self);
  auto& state = self->state;
  state.config = std::move(config);
  state.config.mail->on_mail = [self = caf::actor_cast<caf::actor>(self),
                                delay = state.config.mail_delay](peer_id to) {
    caf::delayed_anon_send(self, delay, post_atom_v, to);
  };
  self->set_down_handler(
    [self](caf::down_msg& down) { line_is_down(self, down.source, down.reason); });
  return {
    // Joins: others reach this node at that port.
    [self](start_atom, std::uint16_t port) { heed(self, [&] { start(self, port); }); },
    [self](const node_greeting& hello) { greet(self, hello); },
    [self](const node_refusal& refusal) { refused(self, refusal); },
    [self](const node_welcome& welcome) {
      auto& st = self->state;
      st.config.who.index = welcome.index;
      st.config.who.machines = welcome.machines;
      st.welcomed = true;
      heed(self, [&] { st.config.welcome(welcome); });
    },
    [self](const node_list& list) {
      self->state.config.who.origin = list.origin;
      self->state.config.who.described = list.described;
      heed(self, [&] { learn(self, list); });
    },
    [self](const node_residents& news) {
      for (const auto& [name, line] : self->state.lines)
        if (line.handle && line.handle.address() == self->current_sender()->address())
          self->state.config.mail->learn(line.number, news.members);
    },
    [self](const node_parcels& parcels) {
      for (const auto& [name, line] : self->state.lines)
        if (line.handle && line.handle.address() == self->current_sender()->address()) {
          try {
            self->state.config.mail->receive(line.number, parcels.bytes);
          } catch (const std::exception& e) {
            spdlog::error("node {}: {} from {}", self->state.config.who.name, e.what(), name);
          }
          return;
        }
    },
    [self](const node_report& report) { self->state.reports[report.index] = report; },
    // INTERNAL: someone has moved in or out.
    [self](caf::update_atom) {
      for (const auto& [name, line] : self->state.lines)
        if (line.handle)
          send_residents(self, line.handle);
    },
    // INTERNAL: empties a box.
    [self](post_atom, peer_id to) {
      auto bytes = self->state.config.mail->take(to);
      for (const auto& [name, line] : self->state.lines)
        if (line.number == to && line.handle && !bytes.empty()) {
          self->send(line.handle, node_parcels{std::move(bytes)});
          return;
        }
    },
    // INTERNAL: connects again.
    [self](retry_atom, const std::string& name) { connect(self, name); },
    [self](caf::tick_atom) { tick(self); },
    // Tells what the cluster is like.
    [self](status_atom) -> caf::result<cluster_report> {
      auto& st = self->state;
      if (!self->state.is_master())
        return caf::make_error(caf::sec::runtime_error, not_the_master(self));
      auto all = st.config.describe(st.book->list());
      for (const auto& [index, report] : st.reports)
        all.reports.push_back(report);
      return all;
    },
    // Has a node emptied.
    [self](drain_atom, const std::string& name) -> caf::result<caf::ok_atom> {
      auto& st = self->state;
      if (!self->state.is_master())
        return caf::make_error(caf::sec::runtime_error, not_the_master(self));
      if (!st.book->drain(name)) {
        std::string names;
        for (const auto& e : st.book->list().nodes)
          names += (names.empty() ? "" : ", ") + e.who.name;
        return caf::make_error(caf::sec::runtime_error,
                               "there is no node named " + name + "; there are: " + names);
      }
      publish_list(self);
      return caf::ok_atom_v;
    },
    // INTERNAL: this node is to be emptied before it leaves.
    [self](leave_atom) {
      self->state.leaving = true;
      if (const auto master = master_line(self); !master)
        self->state.config.alone();
      else
        self->request(master, line_patience, drain_atom_v, self->state.config.who.name)
          .then([](caf::ok_atom) {}, [](caf::error&) {});
    },
    // A node leaves for good: the master forgets it. Others pass that on.
    [self](leave_atom, const std::string& name) -> caf::result<caf::ok_atom> {
      if (self->state.is_master()) {
        self->state.book->left(name);
        publish_list(self);
        return caf::ok_atom_v;
      }
      auto answer = self->make_response_promise<caf::ok_atom>();
      if (const auto master = master_line(self))
        self->request(master, line_patience, leave_atom_v, name)
          .then([answer](caf::ok_atom) mutable { answer.deliver(caf::ok_atom_v); },
                [answer](caf::error& why) mutable { answer.deliver(std::move(why)); });
      else
        answer.deliver(caf::make_error(caf::sec::runtime_error, "there is no line to the master"));
      return answer;
    },
  };
}

} // namespace troupe
