#include "nodes/gateway.hpp"

#include "actors/handlers.hpp"
#include "actors/messages.hpp"
#include "nodes/identity_text.hpp"

#include <caf/all.hpp>
#include <caf/io/all.hpp>
#include <caf/openssl/manager.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace troupe {

namespace {

using self_pointer = caf::stateful_actor<gateway_state>*;

/// How long a connection and its greeting may take.
constexpr auto patience = std::chrono::seconds{5};

node_greeting greeting_of(self_pointer self) {
  auto who = self->state.config.who;
  return {protocol_version, TROUPE_VERSION, write_identity(self->system(), who)};
}

bool is_master(self_pointer self) {
  return self->state.book.has_value();
}

caf::actor master_line(self_pointer self) {
  const auto& state = self->state;
  const auto it = state.lines.find(state.master);
  return it == state.lines.end() ? caf::actor{} : it->second.handle;
}

void try_later(self_pointer self, node_line& line) {
  self->delayed_send(self, line.backoff, retry_atom_v, line.name);
  line.backoff = std::min(line.backoff * 2, self->state.config.last_retry);
}

node_line* find_line(self_pointer self, const std::string& name) {
  auto& state = self->state;
  if (name.empty())
    return state.to_master ? &*state.to_master : nullptr;
  const auto it = state.lines.find(name);
  return it == state.lines.end() ? nullptr : &it->second;
}

void connect(self_pointer self, const std::string& name) {
  auto* line = find_line(self, name);
  if (line == nullptr || line->handle || line->connecting || !line->at)
    return;
  line->connecting = true;
  const auto failed = [self, name](const std::string& why) {
    auto* of = find_line(self, name);
    if (of == nullptr)
      return;
    of->connecting = false;
    if (of->handle)
      return;
    if (!std::exchange(of->said_so, true))
      spdlog::warn("node {}: {} at {}:{} cannot be reached, and is tried again until it can: {}",
                   self->state.config.who.name, name.empty() ? "the master" : name, of->at->host,
                   of->at->port, why);
    try_later(self, *of);
  };
  self
    ->request(self->system().openssl_manager().actor_handle(), patience, caf::connect_atom_v,
              line->at->host, line->at->port)
    .then(
      [self, name, failed](const caf::node_id&, const caf::strong_actor_ptr& found,
                           const std::set<std::string>&) {
        auto* to = find_line(self, name);
        if (to == nullptr)
          return;
        to->connecting = false;
        if (!found)
          return failed("nobody answers there");
        self->send(caf::actor_cast<caf::actor>(found), greeting_of(self));
        self->delayed_send(self, patience, retry_atom_v, name);
      },
      [self, failed](caf::error& why) { failed(self->system().render(why)); });
}

void publish_list(self_pointer self) {
  auto& state = self->state;
  state.known = state.book->list();
  for (const auto& [name, line] : state.lines)
    if (line.handle)
      self->send(line.handle, state.known);
  state.config.learn(state.known);
}

void send_residents(self_pointer self, const caf::actor& to) {
  self->send(to, node_residents{self->state.config.mail->residents()});
}

/// A line is up: `to` is the node named so.
void adopt(self_pointer self, const node_identity& who, const caf::actor& to) {
  auto& state = self->state;
  auto& line = state.lines[who.name];
  line.name = who.name;
  line.number = state.config.mail->peer(who.name);
  if (line.handle && line.handle != to)
    self->demonitor(line.handle);
  line.handle = to;
  line.boot = who.boot;
  line.connecting = line.said_so = false;
  line.backoff = state.config.first_retry;
  self->monitor(to);
  if (who.roles.master)
    state.master = who.name;
  state.config.mail->connect(line.number);
  send_residents(self, to);
  spdlog::info("node {}: the line to {} is up", state.config.who.name, who.name);
}

/// Learns of the others, and connects to those to which it has to.
void learn(self_pointer self, const node_list& list) {
  auto& state = self->state;
  state.known = list;
  for (const auto& e : list.nodes) {
    const auto number = state.config.mail->peer(e.who.name);
    if (e.who.name == state.config.who.name)
      continue;
    state.config.mail->learn_machines(number, e.machines.first, e.machines.count);
    auto& line = state.lines[e.who.name];
    line.name = e.who.name;
    line.number = number;
    if (state.config.who.name > e.who.name && !e.who.roles.master && !is_master(self)) {
      line.at = host_port{e.who.host, e.who.port};
      connect(self, e.who.name);
    }
  }
  std::erase_if(state.lines, [&](const auto& l) {
    return !l.second.handle && std::ranges::none_of(list.nodes, [&](const node_entry& e) {
      return e.who.name == l.first;
    });
  });
  state.config.learn(list);
}

void begin_if_complete(self_pointer self) {
  auto& state = self->state;
  if (state.book->list().origin != 0)
    return;
  const auto present = static_cast<std::uint32_t>(
    std::ranges::count_if(state.book->list().nodes, &node_entry::present));
  auto waits_for = state.book->missing();
  if (present < state.config.expected_nodes)
    waits_for += (waits_for.empty() ? "" : "; ") +
                 std::to_string(state.config.expected_nodes - present) + " nodes are still to come";
  if (!waits_for.empty()) {
    spdlog::info("master: the cluster has not begun: {}", waits_for);
    return;
  }
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  state.book->begin(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  spdlog::info("master: {} nodes are there; the cluster begins", present);
  publish_list(self);
}

void take_in(self_pointer self, const node_identity& who, const caf::actor& from) {
  auto& state = self->state;
  const auto outcome = state.book->join(who);
  if (const auto* refusal = std::get_if<node_refusal>(&outcome)) {
    spdlog::warn("master: node {} at {}:{} is refused: {}", who.name, who.host, who.port,
                 refusal->why);
    self->send(from, *refusal);
    return;
  }
  const auto& entry = *std::get<const node_entry*>(outcome);
  self->send(from, greeting_of(self));
  self->send(from, node_welcome{entry.index, entry.machines, state.config.settings,
                                state.book->list().origin});
  state.config.mail->learn_machines(state.config.mail->peer(who.name), entry.machines.first,
                                    entry.machines.count);
  adopt(self, who, from);
  state.drained_from.erase(entry.index);
  publish_list(self);
  begin_if_complete(self);
}

std::string not_the_master(self_pointer self) {
  const auto& state = self->state;
  auto text = "node " + state.config.who.name + " does not have the role master";
  for (const auto& e : state.known.nodes)
    if (e.who.roles.master)
      text += "; that is " + e.who.name + " at " + e.who.host + ':' + std::to_string(e.who.port);
  return text;
}

/// Somebody has connected and says who that is; or answers our own greeting.
void greet(self_pointer self, const node_greeting& hello) {
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
  if (is_master(self)) {
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

void refused(self_pointer self, const node_refusal& refusal) {
  auto& state = self->state;
  spdlog::warn("node {}: {}", state.config.who.name, refusal.why);
  if (!refusal.for_now && !state.welcomed)
    state.config.fail(refusal.why);
}

void line_is_down(self_pointer self, const caf::actor_addr& who, const caf::error& why) {
  auto& state = self->state;
  for (auto& [name, line] : state.lines) {
    if (!line.handle || line.handle.address() != who)
      continue;
    spdlog::info("node {}: the line to {} is down: {}", state.config.who.name, name,
                 self->system().render(why));
    line.handle = nullptr;
    state.config.mail->disconnect(line.number);
    if (is_master(self)) {
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

/// How many members of a role live on a node.
std::size_t members_on(const node_report& report, role what) {
  return static_cast<std::size_t>(std::ranges::count(report.members, what, &roster_entry::what));
}

/// Moves one member of a role from the node that has most of them to the one that has least, if
/// that makes them more even.
bool level(self_pointer self, role what, std::uint32_t node_roles::*most) {
  auto& state = self->state;
  const node_report* fullest = nullptr;
  const node_report* idlest = nullptr;
  for (const auto& e : state.book->list().nodes) {
    const auto it = state.reports.find(e.index);
    if (it == state.reports.end() || !e.present || e.draining)
      continue;
    const auto n = members_on(it->second, what);
    if (n < e.who.roles.*most && (!idlest || n < members_on(*idlest, what)))
      idlest = &it->second;
    if (!fullest || n > members_on(*fullest, what))
      fullest = &it->second;
  }
  if (!idlest || !fullest || members_on(*fullest, what) < members_on(*idlest, what) + 2)
    return false;
  const auto moves = std::ranges::find(fullest->members, what, &roster_entry::what);
  state.config.hand_over({what, moves->number});
  return true;
}

/// Has members move from a node that is to be emptied, and, one at a time, to nodes that have come.
void level(self_pointer self) {
  auto& state = self->state;
  const auto now = std::chrono::steady_clock::now();
  if (now - state.levelled >= state.config.level_interval) {
    state.levelled = now;
    if (!level(self, role::owner, &node_roles::owners))
      level(self, role::scheduler, &node_roles::schedulers);
  }
  for (const auto& e : state.book->list().nodes) {
    const auto report = state.reports.find(e.index);
    if (!e.draining || report == state.reports.end())
      continue;
    const auto [since, is_new] = state.drained_from.emplace(e.index, now);
    if (now - since->second < std::chrono::seconds{2})
      continue; // until its candidates are forgotten
    for (const auto& m : report->second.members)
      if (m.what == role::owner || m.what == role::scheduler)
        state.config.hand_over({m.what, m.number});
    since->second = now;
  }
}

void tick(self_pointer self) {
  auto& state = self->state;
  self->delayed_send(self, state.config.report_interval, caf::tick_atom_v);
  if (!state.welcomed)
    return;
  auto report = state.config.report();
  if (is_master(self)) {
    state.reports[report.index] = std::move(report);
    level(self);
    return;
  }
  if (const auto master = master_line(self))
    self->send(master, report);
}

void become_master(self_pointer self) {
  auto& state = self->state;
  state.book.emplace(state.config.machines, state.config.has_owners);
  const auto outcome = state.book->join(state.config.who);
  if (const auto* refusal = std::get_if<node_refusal>(&outcome)) {
    state.config.fail(refusal->why);
    return;
  }
  const auto& entry = *std::get<const node_entry*>(outcome);
  state.welcomed = true;
  state.config.mail->peer(state.config.who.name);
  state.config.welcome({entry.index, entry.machines, state.config.settings, 0});
  publish_list(self);
  begin_if_complete(self);
}

void start(self_pointer self, std::uint16_t port) {
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
void heed(self_pointer self, Function function) {
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
      if (!is_master(self))
        return caf::make_error(caf::sec::runtime_error, not_the_master(self));
      auto all = st.config.describe(st.book->list());
      for (const auto& [index, report] : st.reports)
        all.reports.push_back(report);
      return all;
    },
    // Has a node emptied.
    [self](drain_atom, const std::string& name) -> caf::result<caf::ok_atom> {
      auto& st = self->state;
      if (!is_master(self))
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
        self->request(master, patience, drain_atom_v, self->state.config.who.name)
          .then([](caf::ok_atom) {}, [](caf::error&) {});
    },
    // A node leaves for good: the master forgets it. Others pass that on.
    [self](leave_atom, const std::string& name) -> caf::result<caf::ok_atom> {
      if (is_master(self)) {
        self->state.book->left(name);
        publish_list(self);
        return caf::ok_atom_v;
      }
      auto answer = self->make_response_promise<caf::ok_atom>();
      if (const auto master = master_line(self))
        self->request(master, patience, leave_atom_v, name)
          .then([answer](caf::ok_atom) mutable { answer.deliver(caf::ok_atom_v); },
                [answer](caf::error& why) mutable { answer.deliver(std::move(why)); });
      else
        answer.deliver(caf::make_error(caf::sec::runtime_error, "there is no line to the master"));
      return answer;
    },
  };
}

} // namespace troupe
