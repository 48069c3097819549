#include "nodes/registry/gateway.hpp"

#include "actors/common/handlers.hpp"
#include "actors/protocol/messages.hpp"
#include "model/base/log.hpp"
#include "nodes/registry/gateway_clocks.hpp"
#include "nodes/registry/gateway_master.hpp"
#include "nodes/registry/identity_text.hpp"
#include "nodes/registry/refusal_log.hpp"

#include <caf/all.hpp>
#include <caf/io/all.hpp>

#include <algorithm>

namespace troupe {

namespace {

void line_is_down(gateway_pointer self, const caf::actor_addr& who, const caf::error& why) {
  auto& state = self->state;
  for (auto& [name, line] : state.lines) {
    if (!line.handle || line.handle.address() != who)
      continue;
    if (line.ended)
      log::info("node {}: {} has shut down gracefully", state.config.who.name, name);
    else
      log::info("node {}: connection to {} is down: {}", state.config.who.name, name,
                self->system().render(why));
    line.handle = nullptr;
    state.config.mail->disconnect(line.number);
    if (self->state.is_master()) {
      state.book->lost(name, line.boot);
      publish_list(self);
      begin_if_complete(self);
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

void refuse(gateway_pointer self, const caf::actor& who, const std::string& why) {
  const auto& name = self->state.config.who.name;
  log_refusal(log::level::warn, "refused nodes", name, "a node is refused: " + why);
  self->send(who, node_refusal{"refused by " + name + ": " + why});
}

/// A connecting node has introduced itself, or has answered this node's greeting.
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
  log_refusal(log::level::warn, "refusals by others", state.config.who.name, refusal.why);
  if (state.welcomed)
    return;
  if (!refusal.for_now)
    state.config.fail(refusal.why);
  state.waiting = refusal.why;
  tell_what_is_missing(self);
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
    ask_for_time(self);
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
  tell_what_is_missing(self);
  connect(self, "");
}

/// Notifies all other nodes that this node ends, so that they do not report it as missing. Returns
/// once they have received it, or soon.
caf::result<caf::ok_atom> say_goodbye(gateway_pointer self) {
  constexpr auto patience = std::chrono::milliseconds{500};
  auto done = self->make_response_promise<caf::ok_atom>();
  const auto left = std::make_shared<std::size_t>(1);
  auto one_less = [done, left]() mutable {
    if (--*left == 0)
      done.deliver(caf::ok_atom_v);
  };
  for (const auto& [name, line] : self->state.lines)
    if (line.handle) {
      ++*left;
      self->request(line.handle, patience, bye_atom_v)
        .then([one_less](caf::ok_atom) mutable { one_less(); },
              [one_less](caf::error&) mutable { one_less(); });
    }
  one_less();
  return done;
}

/// Sends what waits for other nodes.
void flush(gateway_pointer self) {
  auto& state = self->state;
  *state.flush_is_due = false;
  for (const auto& [name, line] : state.lines) {
    if (!line.handle)
      continue;
    auto bytes = state.config.mail->take(line.number);
    if (!bytes.empty())
      self->send(line.handle, node_envelopes{std::move(bytes)});
  }
}

/// Stores a report of the node at the other end.
void note_report(gateway_pointer self, const node_report& report) {
  const auto* line = line_of_sender(self);
  if (!self->state.is_master() || line == nullptr)
    return;
  if (const auto* entry = self->state.book->find(line->name);
      entry != nullptr && entry->index == report.index)
    self->state.reports[report.index] = report;
}

/// Returns the state of the cluster, which the master's node knows. This node's own questions are
/// passed on to it; those of others are not, as they are to ask it themselves.
caf::result<cluster_report> tell_status(gateway_pointer self) {
  auto& state = self->state;
  if (state.is_master()) {
    auto all = state.config.describe(state.book->list());
    for (const auto& [index, report] : state.reports)
      all.reports.push_back(report);
    note_clocks(self, all.reports);
    return all;
  }
  const auto& sender = self->current_sender();
  if (!sender || sender->node() != self->node())
    return caf::make_error(caf::sec::runtime_error, not_the_master(self));
  const auto master = master_line(self);
  if (!master)
    return caf::make_error(caf::sec::runtime_error,
                           "there is no connection to the node with the master" +
                             (state.master.empty() ? "" : ", " + state.master));
  auto answer = self->make_response_promise<cluster_report>();
  self->request(master, line_patience, status_atom_v)
    .then([answer](cluster_report& all) mutable { answer.deliver(std::move(all)); },
          [answer](caf::error& why) mutable { answer.deliver(std::move(why)); });
  return answer;
}

/// Returns the answer of the node with the workload, which is another one; `otherwise` if no such
/// node has joined yet.
template <class Answer, class Question>
caf::result<Answer> ask_workload(gateway_pointer self, const Question& asked, Answer otherwise) {
  for (const auto& e : self->state.known.nodes) {
    if (!e.who.roles.workload)
      continue;
    const auto* line = find_line(self, e.who.name);
    if (line == nullptr || !line->handle)
      return caf::make_error(caf::sec::runtime_error,
                             "there is no connection to the node with the workload, " + e.who.name);
    auto answer = self->make_response_promise<Answer>();
    self->request(line->handle, line_patience, asked)
      .then([answer](Answer& r) mutable { answer.deliver(std::move(r)); },
            [answer](caf::error& why) mutable { answer.deliver(std::move(why)); });
    return answer;
  }
  return otherwise;
}

/// Returns what the node with the workload has measured.
caf::result<live_report> tell_live(gateway_pointer self, const live_request& asked) {
  auto& state = self->state;
  if (state.config.who.roles.workload)
    return state.config.live ? state.config.live(asked) : live_report{};
  return ask_workload(self, asked, live_report{});
}

/// Returns what happened to a task, by the node with the workload, which looks for it in a thread
/// of its own.
caf::result<story_reply> tell_story_of(gateway_pointer self, const story_request& asked) {
  auto& state = self->state;
  const story_reply none{404, R"({"error":"there is no workload"})"};
  if (!state.config.who.roles.workload)
    return ask_workload(self, asked, none);
  if (!state.config.story)
    return none;
  const auto number = ++state.stories_asked;
  auto answer = self->make_response_promise<story_reply>();
  state.stories.emplace(number, answer);
  state.config.story(asked, [number, self = caf::actor_cast<caf::actor>(self)](story_reply reply) {
    caf::anon_send(self, number, std::move(reply));
  });
  return answer;
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

} // namespace

caf::behavior gateway(caf::stateful_actor<gateway_state>* self, gateway_config config) {
  install_handlers(self);
  auto& state = self->state;
  state.config = std::move(config);
  state.config.mail->on_mail = [self = caf::actor_cast<caf::actor>(self),
                                delay = state.config.mail_delay,
                                due = state.flush_is_due](peer_id) {
    if (!due->exchange(true))
      caf::delayed_anon_send(self, delay, route_atom_v);
  };
  self->set_down_handler(
    [self](caf::down_msg& down) { line_is_down(self, down.source, down.reason); });
  return {
    // Joins the cluster; other nodes reach this node at that port.
    [self](start_atom, std::uint16_t port) { heed(self, [&] { start(self, port); }); },
    [self](const node_greeting& hello) { greet(self, hello); },
    [self](const node_refusal& refusal) { refused(self, refusal); },
    [self](const node_welcome& welcome) {
      if (!is_from_master(self))
        return;
      auto& st = self->state;
      st.config.who.index = welcome.index;
      st.config.who.machines = welcome.machines;
      st.welcomed = true;
      heed(self, [&] { st.config.welcome(welcome); });
    },
    [self](const node_list& list) {
      if (!is_from_master(self))
        return;
      auto& who = self->state.config.who;
      who.origin = list.origin;
      who.described = list.described;
      for (const auto& e : list.nodes)
        who.draining = who.draining || (e.draining && e.who.boot == who.boot);
      heed(self, [&] { learn(self, list); });
    },
    [self](const node_residents& news) {
      if (const auto* line = line_of_sender(self))
        self->state.config.mail->learn(line->number, news.members);
    },
    [self](const node_envelopes& envelopes) {
      const auto* line = line_of_sender(self);
      if (line == nullptr)
        return;
      try {
        self->state.config.mail->receive(line->number, envelopes.bytes, self->context());
      } catch (const std::exception& e) {
        log_refusal(log::level::error, "malformed messages", self->state.config.who.name,
                    std::string{e.what()} + " from " + line->name);
      }
    },
    [self](const node_report& report) { note_report(self, report); },
    [self](const node_clock& word) { tell_time(self, word); },
    // INTERNAL: this node ends.
    [self](bye_atom, leave_atom) { return say_goodbye(self); },
    // Another node ends.
    [self](bye_atom) {
      if (auto* line = line_of_sender(self))
        line->ended = line->said_so = true;
      return caf::ok_atom_v;
    },
    // INTERNAL: a member has arrived or left.
    [self](caf::update_atom) {
      for (const auto& [name, line] : self->state.lines)
        if (line.handle)
          send_residents(self, line.handle);
    },
    // INTERNAL: sends all outboxes.
    [self](route_atom) { flush(self); },
    // INTERNAL: connects again.
    [self](retry_atom, const std::string& name) { connect(self, name); },
    [self](caf::tick_atom) { tick(self); },
    // Returns the state of the cluster.
    [self](status_atom) { return tell_status(self); },
    // Returns what the recorder has measured; it measures it while somebody asks.
    [self](const live_request& asked) { return tell_live(self, asked); },
    // Returns what happened to a task.
    [self](const story_request& asked) { return tell_story_of(self, asked); },
    // INTERNAL: the answer to such a question was found.
    [self](std::uint64_t number, story_reply& reply) {
      auto& stories = self->state.stories;
      const auto it = stories.find(number);
      if (self->current_sender() || it == stories.end())
        return;
      it->second.deliver(std::move(reply));
      stories.erase(it);
    },
    // Drains a node.
    [self](drain_atom, const std::string& name) -> caf::result<caf::ok_atom> {
      auto& st = self->state;
      if (!self->state.is_master())
        return caf::make_error(caf::sec::runtime_error, not_the_master(self));
      const auto* line = line_of_sender(self);
      const auto why = st.book->drain(name, line != nullptr && line->name == name);
      if (!why.empty())
        return caf::make_error(caf::sec::runtime_error, why);
      publish_list(self);
      return caf::ok_atom_v;
    },
    // INTERNAL: this node is to be drained before it leaves.
    [self](leave_atom) {
      self->state.leaving = true;
      if (const auto master = master_line(self); !master)
        self->state.config.alone();
      else
        self->request(master, line_patience, drain_atom_v, self->state.config.who.name)
          .then([](caf::ok_atom) {}, [](caf::error&) {});
    },
    // A node leaves for good: the master forgets it. Other nodes forward the message.
    [self](leave_atom, const std::string& name) -> caf::result<caf::ok_atom> {
      if (self->state.is_master()) {
        self->state.book->left(name);
        publish_list(self);
        begin_if_complete(self);
        return caf::ok_atom_v;
      }
      auto answer = self->make_response_promise<caf::ok_atom>();
      if (const auto master = master_line(self))
        self->request(master, line_patience, leave_atom_v, name)
          .then([answer](caf::ok_atom) mutable { answer.deliver(caf::ok_atom_v); },
                [answer](caf::error& why) mutable { answer.deliver(std::move(why)); });
      else
        answer.deliver(
          caf::make_error(caf::sec::runtime_error, "there is no connection to the master"));
      return answer;
    },
  };
}

} // namespace troupe
