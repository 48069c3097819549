#include "actors/offers/allocator.hpp"

#include "actors/common/handlers.hpp"
#include "model/base/log.hpp"

#include <caf/send.hpp>

#include <utility>

namespace troupe {

namespace {

using allocator_pointer = allocator_actor::stateful_pointer<allocator_state>;

instant now(allocator_pointer self) {
  return self->state.config.clock.now(self);
}

/// Sets a timer for when the next offer is due to be asked after.
void arm(allocator_pointer self) {
  auto& state = self->state;
  const auto next = state.core->next_recall();
  if (next >= state.next_recall)
    return;
  state.next_recall = next;
  self->scheduled_send(self, state.config.clock.at(next), resend_atom_v);
}

void acknowledge(allocator_pointer self, owner_id owner) {
  auto& state = self->state;
  auto& reports = state.core->reports_of(owner);
  reports.answered();
  if (state.owners[owner])
    self->send(state.owners[owner], capacity_seen{reports.seen()});
}

void begin_round(allocator_pointer self) {
  auto& state = self->state;
  for (owner_id o = 0; o < state.owners.size(); ++o)
    if (state.core->reports_of(o).owes())
      acknowledge(self, o);
  for (auto& [to, offer] : state.core->offer(now(self)))
    if (state.schedulers[to])
      self->send(state.schedulers[to], std::move(offer));
  arm(self);
  ++state.rounds;
  const auto due = state.config.interval * static_cast<std::int64_t>(state.rounds);
  self->scheduled_send(self, state.config.clock.at(due), round_atom_v);
}

// -- if failures are watched --------------------------------------------------------------------

/// Nothing is offered to a framework that cannot be reached, or says nothing.
void note_reach(allocator_pointer self, scheduler_id s) {
  auto& state = self->state;
  state.core->withhold(s, !state.schedulers[s] || state.contacts->silent(s));
}

/// Asks the owners that have not told what there is.
void call_owners(allocator_pointer self) {
  auto& state = self->state;
  for (owner_id o = 0; o < state.config.owners; ++o)
    if (!state.core->knows(o))
      if (const auto to = state.config.failover->reach(role::owner, o, 0))
        caf::anon_send(caf::actor_cast<owner_actor>(to), capacity_call{state.incarnation});
}

/// Begins another incarnation: all earlier offers are void.
void begin_incarnation(allocator_pointer self, std::uint32_t incarnation) {
  auto& state = self->state;
  const auto& with = state.config;
  state.incarnation = incarnation;
  state.core.emplace(allocator_core::unaware(*with.machines, with.weights, with.group_of,
                                             with.rules, incarnation, now(self)));
  state.next_recall = instant::max();
  state.owners.assign(with.owners, {});
  state.schedulers.clear();
  for (scheduler_id s = 0; s < with.weights.size(); ++s)
    state.schedulers.push_back(caf::actor_cast<placing_scheduler_actor>(
      with.failover->reach(role::scheduler, s, state.member->incarnation_of(role::scheduler, s))));
  for (scheduler_id s = 0; s < state.schedulers.size(); ++s)
    note_reach(self, s);
  call_owners(self);
}

/// Takes note of a question to a framework. If it is silent, all offers become void, since what it
/// did with its own is not known: owners say what is free.
void note_question(allocator_pointer self, scheduler_id to) {
  auto& state = self->state;
  if (!state.contacts || !state.contacts->asked(to, now(self)))
    return;
  log::info("{} s: allocator: scheduler {} does not answer; its offers are void",
            to_seconds(now(self)), to);
  state.voids_offers = true;
}

void send_heartbeat(allocator_pointer self) {
  auto& state = self->state;
  const auto& with = *state.config.failover;
  if (const auto master = with.reach(role::master, 0, 0))
    self->send<caf::message_priority::high>(caf::actor_cast<master_actor>(master),
                                            state.member->heartbeat(now(self)));
  for (scheduler_id s = 0; s < state.schedulers.size(); ++s)
    if (!state.schedulers[s]) {
      state.schedulers[s] = caf::actor_cast<placing_scheduler_actor>(
        with.reach(role::scheduler, s, state.member->incarnation_of(role::scheduler, s)));
      note_reach(self, s);
    }
  for (owner_id o = 0; o < state.owners.size(); ++o) // one may be heard before it can be found
    if (!state.owners[o] && state.core->knows(o))
      state.owners[o] = caf::actor_cast<owner_actor>(
        with.reach(role::owner, o, owner_incarnation(state.core->booked(o))));
  call_owners(self);
  self->delayed_send(self, with.heartbeat, heartbeat_atom_v);
}

void hear(allocator_pointer self, const capacity_statement& what) {
  auto& state = self->state;
  const auto incarnation =
    scheduler_incarnation(what.number); // the allocator's stands where a scheduler's does
  if (what.owner >= state.owners.size() || incarnation < state.incarnation)
    return;
  if (incarnation > state.incarnation) { // the owner has known a later one
    begin_incarnation(self, incarnation + 1);
    return;
  }
  if (owner_incarnation(what.number) < state.member->incarnation_of(role::owner, what.owner) ||
      !state.core->state(what, now(self)))
    return;
  state.owners[what.owner] = caf::actor_cast<owner_actor>(
    state.config.failover->reach(role::owner, what.owner, owner_incarnation(what.number)));
  acknowledge(self, what.owner);
}

/// Returns whether owners or schedulers have other incarnations in `news` than they are known to
/// have.
bool others_changed(allocator_pointer self, const membership& news) {
  auto& state = self->state;
  bool changed = false;
  for (const auto& e : news.entries) {
    if ((e.what != role::owner && e.what != role::scheduler) ||
        e.incarnation <= state.member->incarnation_of(e.what, e.number))
      continue;
    changed = true;
    if (e.what == role::scheduler && e.number < state.config.weights.size())
      state.contacts->replaced(e.number);
  }
  return changed;
}

void watch_failures(allocator_pointer self) {
  auto& state = self->state;
  state.member.emplace(*state.config.failover);
  state.contacts.emplace(state.config.weights.size(), 2 * state.config.rules.ask_after);
  begin_incarnation(self, state.config.failover->as.incarnation);
  state.rounds = static_cast<std::uint64_t>(now(self) / state.config.interval);
  self->send(self, round_atom_v);
  self->send(self, heartbeat_atom_v);
}

} // namespace

allocator_actor::behavior_type allocator(allocator_actor::stateful_pointer<allocator_state> self,
                                         allocator_config config) {
  install_handlers(self);
  auto& state = self->state;
  state.core.emplace(*config.machines, config.weights, config.group_of, config.rules);
  state.config = std::move(config);
  if (state.config.failover)
    watch_failures(self);
  return {
    [self](const peers& all) {
      auto& st = self->state;
      st.owners = to_handles<owner_actor>(all.owners);
      st.schedulers = to_handles<placing_scheduler_actor>(all.schedulers);
      begin_round(self);
    },
    [self](const offer_answer& answer) {
      auto& st = self->state;
      if (answer.framework >= st.schedulers.size())
        return;
      st.core->answer(answer, now(self));
      if (st.contacts) {
        st.contacts->heard(answer.framework);
        note_reach(self, answer.framework);
      }
    },
    [self](const capacity_report& report) {
      auto& st = self->state;
      if (report.owner >= st.owners.size() ||
          st.core->reports_of(report.owner).session() != session_of(report.number))
        return;
      const auto before = st.core->booked(report.owner);
      if (st.core->book(report, now(self)) == before) // it came again: its owner does not know
        acknowledge(self, report.owner);
    },
    [self](round_atom) { begin_round(self); },
    [self](resend_atom) {
      auto& st = self->state;
      if (now(self) < st.next_recall) // an offer that was due earlier has set another timer
        return;
      st.next_recall = instant::max();
      for (auto& [to, recall] : st.core->recalls(now(self))) {
        if (recall.rescind)
          log::debug("{} s: allocator: offer {} to scheduler {} has timed out",
                     to_seconds(now(self)), recall.id, to);
        if (!st.schedulers[to])
          continue;
        note_question(self, to);
        self->send(st.schedulers[to], recall);
      }
      if (std::exchange(st.voids_offers, false))
        begin_incarnation(self, st.incarnation + 1);
      arm(self);
    },
    [self](sample_atom) { return self->state.core->take_sample(now(self)); },
    [self](heartbeat_atom) { send_heartbeat(self); },
    [self](const heartbeat_reply& answer) { self->state.member->hear(answer); },
    [self](const membership& news) {
      const bool changed = others_changed(self, news);
      if (self->state.member->hear(news) && changed)
        begin_incarnation(self, self->state.incarnation + 1);
    },
    [self](const capacity_statement& what) { hear(self, what); },
    [self](const sample_request& asked) {
      auto& st = self->state;
      return st.unheard_samples.tell(asked.heard, st.config.failover->as.incarnation,
                                     st.core->take_sample(now(self)));
    },
  };
}

} // namespace troupe
