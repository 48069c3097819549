#include "actors/master/master.hpp"

#include "actors/common/handlers.hpp"
#include "model/base/log.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <utility>

namespace troupe {

void master_state::join(const member& who, caf::actor_id id) {
  leave(who);
  members_.push_back({who, id});
}

bool master_state::leave(const member& who) {
  return std::erase_if(members_, [&](const entry& e) {
           return e.who.what == who.what && e.who.number == who.number;
         }) > 0;
}

bool master_state::leave(caf::actor_id id) {
  return std::erase_if(members_, [id](const entry& e) { return e.id == id; }) > 0;
}

namespace {

using master_pointer = master_actor::stateful_pointer<master_state>;

void schedule_next_round(master_pointer self) {
  const auto& state = self->state;
  if (state.config.plan.any())
    self->scheduled_send(self, state.config.clock.at(state.config.plan.due(state.rounds + 1)),
                         round_atom_v);
}

// -- if failures are watched --------------------------------------------------------------------

instant now(master_pointer self) {
  return self->state.config.clock.now(self);
}

/// Sends the present membership to all members that are heard.
void publish(master_pointer self) {
  auto& state = self->state;
  for (const auto& [who, handle] : state.heard_from)
    caf::anon_send(caf::actor_cast<follower_actor>(handle), state.table->now());
}

void hear(master_pointer self, const member_heartbeat& heartbeat) {
  auto& state = self->state;
  const auto& sender = self->current_sender();
  if (!state.table || !sender)
    return;
  const auto version = state.table->now().version;
  const auto answer = state.table->hear(heartbeat, now(self));
  const std::pair who{heartbeat.who.what, heartbeat.who.number};
  if (heartbeat.standby) {
    const auto from = caf::actor_cast<standby_actor>(sender);
    state.standbys[who] = from;
    caf::anon_send<caf::message_priority::high>(from, answer);
    if (const auto to = state.table->appointed(heartbeat.who.what, heartbeat.who.number))
      caf::anon_send(from, *to);
    return;
  }
  const auto from = caf::actor_cast<follower_actor>(sender);
  caf::anon_send<caf::message_priority::high>(from, answer);
  const auto& entries = state.table->now().entries;
  const bool deposed = std::ranges::any_of(entries, [&](const member_entry& e) {
    return e.what == heartbeat.who.what && e.number == heartbeat.who.number &&
           e.incarnation > heartbeat.who.incarnation;
  });
  if (!deposed)
    state.heard_from[who] = sender;
  if (state.table->now().version != version)
    publish(self);
  else if (heartbeat.master != answer.master || heartbeat.version != answer.version)
    caf::anon_send(from, state.table->now());
}

const char* text_of(member_table::vacancy why) {
  switch (why) {
  case member_table::vacancy::never_filled:
    return "has no member yet";
  case member_table::vacancy::silent:
    return "is silent";
  case member_table::vacancy::let_go:
    return "is to be replaced";
  }
  return "";
}

/// Replaces silent members. A master that was frozen itself first handles the heartbeats that have
/// come meanwhile.
void replace_silent(master_pointer self) {
  auto& state = self->state;
  const auto since = now(self) - std::exchange(state.looked, now(self));
  const bool stood_still = since >= state.config.heartbeat / 2 + state.config.rules.timeout / 2;
  const auto made =
    stood_still ? std::vector<member_table::appointment>{} : state.table->check(now(self));
  for (const auto& m : made) {
    const auto& as = m.what.as;
    log::info("master: {} {} {}; standby {} becomes its incarnation {}", to_string(as.what),
              as.number, text_of(m.why), m.standby, as.incarnation);
    state.heard_from.erase({as.what, as.number});
    if (const auto to = state.standbys.find({as.what, m.standby}); to != state.standbys.end())
      caf::anon_send(to->second, m.what);
  }
  if (!made.empty())
    publish(self);
  self->delayed_send(self, state.config.heartbeat / 2, heartbeat_atom_v);
}

void start_round(master_pointer self) {
  auto& state = self->state;
  for (const auto& o : state.owners)
    self->send(o, sync_round{state.rounds});
  for (const auto& [who, handle] : state.heard_from)
    if (who.first == role::owner)
      self->send(caf::actor_cast<owner_actor>(handle), sync_round{state.rounds});
}

} // namespace

master_actor::behavior_type master(master_actor::stateful_pointer<master_state> self,
                                   master_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  if (const auto& with = self->state.config; !with.places.empty()) {
    self->state.table.emplace(with.places, with.rules, now(self));
    self->state.looked = now(self);
    self->send(self, heartbeat_atom_v);
    // A master that has just been started goes on with the rounds where they would be.
    while (with.plan.any() && with.plan.due(self->state.rounds + 1) <= now(self))
      ++self->state.rounds;
    schedule_next_round(self);
  }
  self->set_down_handler([self](caf::down_msg& down) {
    if (self->state.leave(down.source.id()))
      log::info("master: member {} has died", down.source.id());
  });
  return {
    [self](const peers& all) {
      self->state.owners = to_handles<owner_actor>(all.owners);
      schedule_next_round(self);
    },
    [self](join_atom, const member& who, const caf::strong_actor_ptr& handle) {
      if (!handle)
        return;
      self->state.join(who, handle->id());
      self->monitor(handle);
    },
    [self](gone_atom, const member& who) {
      self->state.leave(who);
      if (self->state.table)
        self->state.table->let_go(who.what, who.number);
    },
    [self](round_atom) {
      auto& state = self->state;
      ++state.rounds;
      start_round(self);
      schedule_next_round(self);
    },
    [self](heartbeat_atom) { replace_silent(self); },
    [self](const member_heartbeat& heartbeat) { hear(self, heartbeat); },
  };
}

} // namespace troupe
