#include "nodes/registry/gateway_master.hpp"

#include "model/base/log.hpp"
#include "nodes/agent/rebalance.hpp"
#include "nodes/clocks/utc_clock.hpp"
#include "nodes/registry/refusal_log.hpp"

#include <caf/all.hpp>

#include <algorithm>
#include <variant>

namespace troupe {

namespace {

/// A keeper that follows another one learns when the cluster began from the nodes that were there.
/// If none comes back for so long, the cluster begins anew.
constexpr std::chrono::seconds others_patience{10};

bool waits_for_others(const gateway_state& state) {
  return state.config.who.term > 1 &&
         std::chrono::steady_clock::now() < state.made_at + others_patience;
}

node_welcome welcome_of(const gateway_state& state, const node_entry& entry) {
  return {entry.index, entry.machines, state.config.settings, state.book->list().origin};
}

/// Tells nodes that they have other numbers than they were told when they joined.
void tell_renumbered(gateway_pointer self) {
  auto& state = self->state;
  for (const auto& name : state.book->take_renumbered()) {
    state.reports.clear(); // by number
    const auto* e = state.book->find(name);
    const auto* connection = find_connection(self, name);
    if (e == nullptr) {
      const std::string why = "the machines that it could be are those of other nodes, which have "
                              "come back or may do so; start it again";
      if (name == state.config.who.name)
        state.config.fail(why);
      else if (connection != nullptr && connection->handle)
        self->send(connection->handle, node_refusal{why});
      continue;
    }
    log::info("master: node {} gets other numbers, which it had before or which nobody has", name);
    state.config.mail->learn_machines(state.config.mail->peer(name), e->machines.first,
                                      e->machines.count);
    if (name == state.config.who.name)
      state.config.welcome(welcome_of(state, *e));
    else if (connection != nullptr && connection->handle)
      self->send(connection->handle, welcome_of(state, *e));
  }
}

} // namespace

void begin_if_complete(gateway_pointer self) {
  auto& state = self->state;
  if (state.book->list().origin != 0)
    return;
  const auto present = static_cast<std::uint32_t>(
    std::ranges::count_if(state.book->list().nodes, &node_entry::present));
  auto waits_for = state.book->missing();
  if (present < state.config.expected_nodes)
    waits_for += (waits_for.empty() ? "" : "; ") +
                 std::to_string(state.config.expected_nodes - present) + " nodes are missing";
  if (waits_for.empty() && waits_for_others(state))
    waits_for = "no node has come back that knows when the cluster began";
  if (!waits_for.empty()) {
    if (state.book->note_missing(waits_for)) {
      log::info("master: the cluster has not begun: {}", waits_for);
      publish_list(self);
    }
    return;
  }
  state.book->begin(utc_ns());
  log::info("master: {} nodes have joined; the cluster begins", present);
  publish_list(self);
}

void publish_list(gateway_pointer self) {
  auto& state = self->state;
  state.known = state.book->list();
  for (const auto& [name, connection] : state.connections)
    if (connection.handle)
      self->send(connection.handle, state.known);
  state.config.learn(state.known);
  tell_what_is_missing(self);
}

void take_in(gateway_pointer self, const node_identity& who, const caf::actor& from) {
  auto& state = self->state;
  const auto outcome = state.book->join(who);
  if (const auto* refusal = std::get_if<node_refusal>(&outcome)) {
    tell_renumbered(self);
    log_refusal(log::level::warn, "refused nodes", state.config.who.name,
                "node " + who.name + " at " + address_text({who.host, who.port}) +
                  " is refused: " + refusal->why);
    self->send(from, *refusal);
    return;
  }
  const auto& entry = *std::get<const node_entry*>(outcome);
  tell_renumbered(self);
  self->send(from, greeting_of(self));
  self->send(from, welcome_of(state, entry));
  state.config.mail->learn_machines(state.config.mail->peer(who.name), entry.machines.first,
                                    entry.machines.count);
  adopt(self, who, from);
  state.drained_from.erase(entry.index);
  publish_list(self);
  begin_if_complete(self);
}

void become_master(gateway_pointer self) {
  auto& state = self->state;
  state.book.emplace(state.config.machines, state.config.has_owners, state.config.master);
  if (const auto& c = state.config; !c.partition_of.empty())
    state.book->let_grow(machine_places{c.partition_of, c.place_rest}, c.greatest_machine,
                         c.gone_patience);
  state.book->remember_orders(state.config.kept_policies);
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

void forget_left(gateway_pointer self) {
  auto& state = self->state;
  const auto& book = *state.book;
  std::erase_if(state.reports, [&](const auto& r) {
    if (book.find(r.first) != nullptr)
      return false;
    state.bytes_of_left += r.second.bytes_sent;
    state.sync_bytes_of_left += r.second.sync_bytes;
    return true;
  });
  std::erase_if(state.drained_from, [&](const auto& d) { return book.find(d.first) == nullptr; });
  std::erase_if(state.connections,
                [&](const auto& l) { return !l.second.handle && book.find(l.first) == nullptr; });
}

void level(gateway_pointer self) {
  auto& state = self->state;
  const auto now = std::chrono::steady_clock::now();
  if (now - state.levelled >= state.config.level_interval) {
    state.levelled = now;
    auto moves = to_level(state.book->list(), state.reports, role::owner);
    if (!moves)
      moves = to_level(state.book->list(), state.reports, role::scheduler);
    if (moves)
      state.config.hand_over(*moves);
    const auto is_idle = [&](const node_entry& e) {
      const auto report = state.reports.find(e.index);
      return report != state.reports.end() && report->second.tasks_running == 0;
    };
    const bool left = state.book->settle(now);
    forget_left(self);
    if (state.book->level_machines(is_idle, now) || left)
      publish_list(self);
  }
  for (const auto& e : state.book->list().nodes) {
    const auto report = state.reports.find(e.index);
    if (!e.draining || report == state.reports.end())
      continue;
    const auto [since, is_new] = state.drained_from.emplace(e.index, now);
    if (now - since->second < std::chrono::seconds{2})
      continue; // until its standbys are forgotten
    for (const auto& m : report->second.members)
      if (m.what == role::owner || m.what == role::scheduler)
        state.config.hand_over({m.what, m.number});
    since->second = now;
  }
}

} // namespace troupe
