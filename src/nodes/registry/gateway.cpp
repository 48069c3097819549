#include "nodes/registry/gateway.hpp"

#include "actors/common/handlers.hpp"
#include "nodes/registry/gateway_clocks.hpp"
#include "nodes/registry/gateway_greetings.hpp"
#include "nodes/registry/gateway_leaving.hpp"
#include "nodes/registry/gateway_master.hpp"
#include "nodes/registry/gateway_policies.hpp"
#include "nodes/registry/gateway_questions.hpp"
#include "nodes/registry/gateway_work.hpp"
#include "nodes/registry/refusal_log.hpp"

#include <caf/all.hpp>

#include <utility>

namespace troupe {

namespace {

void tick(gateway_pointer self) {
  auto& state = self->state;
  self->delayed_send(self, state.config.report_interval, caf::tick_atom_v);
  if (!state.welcomed)
    return;
  auto report = state.config.report();
  if (self->state.is_master()) {
    state.reports[report.index] = std::move(report);
    begin_if_complete(self);
    level(self);
    ask_for_time(self);
    return;
  }
  if (const auto master = master_connection(self))
    self->send(master, report);
}

void start(gateway_pointer self, std::uint16_t port) {
  auto& state = self->state;
  state.config.who.port = port;
  self->delayed_send(self, state.config.report_interval, caf::tick_atom_v);
  if (state.config.join.empty()) {
    become_master(self);
    return;
  }
  for (const auto& at : state.config.join) {
    node_connection connection;
    connection.name = entrance_name(state.entrances.size());
    connection.at = at;
    state.entrances.push_back(std::move(connection));
  }
  tell_what_is_missing(self);
  look_for_master(self);
}

/// Sends what waits for other nodes.
void flush(gateway_pointer self) {
  auto& state = self->state;
  state.pacer->sent(send_pacer::clock::now());
  for (const auto& [name, connection] : state.connections) {
    if (!connection.handle)
      continue;
    auto bytes = state.config.mail->take(connection.number);
    if (!bytes.empty())
      self->send(connection.handle, node_envelopes{std::move(bytes)});
  }
}

/// Calls `function` for a message; an exception ends the node.
template <class Function>
void heed(gateway_pointer self, Function function) {
  try {
    function();
  } catch (const std::exception& e) {
    self->state.config.fail(e.what());
  }
}

/// The master has accepted this node.
void welcomed(gateway_pointer self, const node_welcome& welcome) {
  if (!is_from_master(self))
    return;
  auto& state = self->state;
  state.config.who.index = welcome.index;
  state.config.who.machines = welcome.machines;
  state.config.who.machines_origin = 0;
  state.welcomed = true;
  heed(self, [&] { state.config.welcome(welcome); });
}

/// The master has sent the list of nodes.
void take_list(gateway_pointer self, const node_list& list) {
  if (!is_from_master(self))
    return;
  auto& who = self->state.config.who;
  who.origin = list.origin;
  who.described = list.described;
  who.policies = list.policies;
  who.known.clear();
  for (const auto& e : list.nodes) {
    who.known.push_back({e.who.name, e.index, e.machines});
    who.draining = who.draining || (e.draining && e.who.boot == who.boot);
  }
  heed(self, [&] { learn(self, list); });
}

/// Messages for members that live here have arrived.
void receive(gateway_pointer self, const node_envelopes& envelopes) {
  const auto* connection = connection_of_sender(self);
  if (connection == nullptr)
    return;
  try {
    self->state.config.mail->receive(connection->number, envelopes.bytes, self->context());
  } catch (const std::exception& e) {
    log_refusal(log::level::error, "malformed messages", self->state.config.who.name,
                std::string{e.what()} + " from " + connection->name);
  }
}

} // namespace

caf::behavior gateway(caf::stateful_actor<gateway_state>* self, gateway_config config) {
  install_handlers(self);
  auto& state = self->state;
  state.config = std::move(config);
  state.pacer = std::make_shared<send_pacer>(state.config.mail_interval);
  state.config.mail->on_mail = [self = caf::actor_cast<caf::actor>(self),
                                pacer = state.pacer](peer_id) {
    const auto wait = pacer->begin(send_pacer::clock::now());
    if (!wait)
      return;
    if (*wait == send_pacer::clock::duration::zero())
      caf::anon_send(self, route_atom_v);
    else
      caf::delayed_anon_send(self, *wait, route_atom_v);
  };
  self->set_down_handler(
    [self](caf::down_msg& down) { connection_is_down(self, down.source, down.reason); });
  return {
    // Joins the cluster; other nodes reach this node at that port.
    [self](start_atom, std::uint16_t port) { heed(self, [&] { start(self, port); }); },
    [self](const node_greeting& hello) { greet(self, hello); },
    [self](const node_refusal& refusal) { refused(self, refusal); },
    [self](const node_welcome& welcome) { welcomed(self, welcome); },
    [self](const node_list& list) { take_list(self, list); },
    [self](const node_residents& news) {
      if (const auto* connection = connection_of_sender(self))
        self->state.config.mail->learn(connection->number, news.members);
    },
    [self](const node_envelopes& envelopes) { receive(self, envelopes); },
    [self](const node_report& report) { note_report(self, report); },
    [self](const node_clock& word) { tell_time(self, word); },
    // INTERNAL: this node ends.
    [self](bye_atom, leave_atom) { return say_goodbye(self); },
    // Another node ends.
    [self](bye_atom) {
      if (auto* connection = connection_of_sender(self)) {
        connection->ended = connection->said_so = true;
        if (connection->name == self->state.master)
          for (auto& entrance : self->state.entrances)
            entrance.said_so = true;
      }
      return caf::ok_atom_v;
    },
    // INTERNAL: a member has arrived or left.
    [self](caf::update_atom) {
      for (const auto& [name, connection] : self->state.connections)
        if (connection.handle)
          send_residents(self, connection.handle);
    },
    // INTERNAL: sends all outboxes.
    [self](route_atom) { flush(self); },
    // INTERNAL: connects again.
    [self](retry_atom, const std::string& name) {
      if (auto* connection = find_connection(self, name); connection != nullptr)
        connection->waits_to_retry = false;
      connect(self, name);
    },
    [self](caf::tick_atom) { tick(self); },
    // Returns the state of the cluster.
    [self](status_atom) { return tell_status(self); },
    // Returns what the recorder has measured; it measures it while somebody asks.
    [self](const live_request& asked) { return tell_live(self, asked); },
    // Returns what happened to a task.
    [self](const story_request& asked) { return tell_story_of(self, asked); },
    // INTERNAL: the answer to such a question was found.
    [self](std::uint64_t number, story_reply& reply) {
      if (!self->current_sender())
        self->state.stories.answer(number, std::move(reply));
    },
    // Returns what the job service says to a report of a node with machines.
    [self](const work_report& report) { return tell_service(self, report); },
    // INTERNAL: the job service of this node has answered, or cannot.
    [self](std::uint64_t number, work_answer& answer) {
      take_work_answer(self, number, std::move(answer));
    },
    [self](std::uint64_t number, caf::ok_atom) { take_work_answer(self, number, std::nullopt); },
    // Returns what a command has written.
    [self](const output_request& asked) { return find_output(self, asked); },
    // Drains a node.
    [self](drain_atom, const std::string& name) { return drain_node(self, name); },
    // Gives schedulers another policy.
    [self](const policy_request& asked) { return order_policies(self, asked); },
    // INTERNAL: the store has kept such orders, or cannot.
    [self](std::uint64_t number, policy_reply& reply) {
      take_kept_orders(self, number, std::move(reply));
    },
    // INTERNAL: this node is to be drained before it leaves.
    [self](leave_atom) { drain_this_node(self); },
    // The machine of a node that was to move is idle.
    [self](move_atom, const std::string& name) { give_another_place(self, name); },
    // A node leaves for good.
    [self](leave_atom, const std::string& name) { return forget_node(self, name); },
  };
}

} // namespace troupe
