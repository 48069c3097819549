#include "actors/queue/queueing_machine.hpp"

#include "actors/common/spawn_light.hpp"
#include "actors/queue/queueing_machine_failover.hpp"

#include <caf/send.hpp>

#include <utility>

namespace troupe {

instant now(queueing_machine_pointer self) {
  return self->state.config->clock.now(self);
}

void steal(queueing_machine_pointer self) {
  auto& [tie, config, serves, stealing, opens] = self->state;
  if (!stealing.may_ask() || !serves->core().idle(config->unit))
    return;
  if (const auto victim = stealing.ask(serves->id(), config->steal_below)) {
    config->queue.meter->asked_for_work();
    const auto to = tie ? neighbour(self, *victim) : config->neighbours->machines[*victim];
    if (to)
      caf::anon_send(to, steal_atom_v, serves->id());
  }
}

void note_answer(queueing_machine_pointer self, const stolen_entries& loot) {
  auto& state = self->state;
  state.stealing.answered(!loot.entries.empty());
  if (!loot.entries.empty())
    state.config->queue.meter->stole(loot.entries.size());
}

namespace {

/// Sends each message at once. The node tells schedulers of starts.
class direct_listener final : public queue_listener {
public:
  explicit direct_listener(queueing_machine_pointer self) : self_(self) {}

  bool may_start(scheduler_id, instant) const override { return true; }
  void started(scheduler_id, const task_start&) override {}
  void tell(scheduler_id to, const get_task_request& request) override { send(to, request); }
  void tell(scheduler_id to, const probe_answer& answer) override { send(to, answer); }

private:
  template <class Message>
  void send(scheduler_id to, const Message& message) {
    caf::anon_send(self_->state.config->neighbours->schedulers[to], message);
  }

  queueing_machine_pointer self_;
};

/// Waits for the end of a window, if something waits that it may keep away.
void wait_for_opening(queueing_machine_pointer self) {
  auto& state = self->state;
  if (!state.serves->core().hours().any())
    return;
  const auto opens = state.serves->opens(now(self));
  if (opens >= state.opens)
    return;
  state.opens = opens;
  self->send_to_self_at(state.config->clock.at(opens), wake_atom_v);
}

/// Asks other machines for work after resources were freed, if no entry waits.
void look_for_work(queueing_machine_pointer self) {
  self->state.stealing.restart(self->state.config->steal_attempts);
  steal(self);
}

template <class Order>
void obey(queueing_machine_pointer self, Order& order) {
  direct_listener schedulers{self};
  if (self->state.tie)
    return;
  if (self->state.serves->obey(order, schedulers, now(self)))
    look_for_work(self);
  wait_for_opening(self);
}

/// Goes on with the queue at the end of a window.
void open(queueing_machine_pointer self) {
  direct_listener schedulers{self};
  self->state.opens = instant::max();
  self->state.serves->serve(schedulers, now(self));
  wait_for_opening(self);
}

void obey_owner(queueing_machine_pointer self, const machine_order& order) {
  auto& serves = *self->state.serves;
  direct_listener schedulers{self};
  if (!order.kill) {
    serves.take(order.what, order.tenant, schedulers, now(self));
    wait_for_opening(self);
  } else if (serves.kill(order.what.task, schedulers, now(self))) {
    look_for_work(self);
  }
}

void book_end(queueing_machine_pointer self, run_number run) {
  auto& serves = *self->state.serves;
  if (!serves.ended(run, now(self)))
    return;
  direct_listener schedulers{self};
  serves.serve(schedulers, now(self));
  look_for_work(self);
}

/// Has so much from now on, and has the node tell schedulers.
void change_capacity(queueing_machine_pointer self, const resources& capacity) {
  auto& [tie, config, serves, stealing, opens] = self->state;
  const auto by = capacity - serves->core().capacity();
  if (tie || by.is_zero())
    return;
  serves->resize(by, now(self));
  direct_listener schedulers{self};
  capacity_update change;
  for (const auto& k : serves->shrink(schedulers, now(self)))
    change.killed.push_back(
      {k.run, k.scheduler, {k.task, serves->id(), task_outcome::lost, now(self)}});
  change.what = serves->note_capacity();
  caf::anon_send(config->neighbours->node, std::move(change));
  serves->serve(schedulers, now(self));
  look_for_work(self);
}

void give_away(queueing_machine_pointer self, machine_id thief) {
  auto& state = self->state;
  caf::anon_send(state.config->neighbours->machines[thief],
                 stolen_entries{state.serves->id(), state.serves->give_away(thief, now(self))});
  direct_listener schedulers{self};
  state.serves->serve(schedulers, now(self));
}

void take_in(queueing_machine_pointer self, const stolen_entries& loot) {
  auto& state = self->state;
  note_answer(self, loot);
  direct_listener schedulers{self};
  state.serves->take_in(loot.entries, schedulers);
  state.serves->serve(schedulers, now(self));
  wait_for_opening(self);
  steal(self);
}

auto queueing_reactions(queueing_machine_pointer self) {
  return overloaded{
    [self](queue_entry entry) { obey(self, entry); },
    [self](const task_assignment& answer) { obey(self, answer); },
    [self](ended_atom, run_number run, const task_end& end) {
      if (auto* tie = tie_now(self))
        book_end(self, *tie, run, end);
      else
        book_end(self, run);
    },
    [self](const cancellation& what) { obey(self, what); },
    [self](const machine_order& order) {
      if (auto* tie = tie_now(self))
        obey(self, *tie, order);
      else
        obey_owner(self, order);
    },
    [self](const queue_probe& probe) { obey(self, probe); },
    [self](steal_atom, machine_id thief) {
      if (auto* tie = tie_now(self))
        give_away(self, *tie, thief);
      else
        give_away(self, thief);
    },
    [self](const stolen_entries& loot) {
      if (auto* tie = tie_now(self))
        hear(self, *tie, loot);
      else
        take_in(self, loot);
    },
    [self](const machine_capacity& what) { change_capacity(self, what.capacity); },
    [self](const capacity_heard& what) { obey(self, what); },
    [self](const queue_orders& orders) {
      if (auto* tie = tie_now(self))
        hear(self, *tie, orders);
    },
    [self](const process_lease& lease) {
      if (self->state.tie)
        take_lease(self, lease);
    },
    [self](const lease_reply& word) {
      if (auto* tie = tie_now(self))
        hear(self, *tie, word);
    },
    [self](heartbeat_atom) {
      if (auto* tie = tie_now(self))
        look_around(self, *tie);
    },
    [self](wake_atom) {
      if (auto* tie = tie_now(self))
        wake(self, *tie);
      else
        open(self);
    },
    [self](leave_atom) {
      if (auto* tie = tie_now(self))
        leave(self, *tie);
    },
  };
}

} // namespace

queueing_machine_actor spawn_queueing_machine(caf::actor_system& system, handling how,
                                              machine_id id, const resources& capacity,
                                              std::shared_ptr<const queueing_machine_config> config,
                                              const queue_session_config* session) {
  return spawn_light<queueing_machine_actor, queueing_machine_state, queueing_reactions>(
    system, how, [&](queueing_machine_pointer self) {
      auto& state = self->state;
      state.serves.emplace(id, capacity, config->queue);
      state.stealing = work_stealing{random_stream::derive(config->seed, "machine", id)};
      state.config = std::move(config);
      if (session != nullptr)
        begin_sessions(self, *session);
    });
}

} // namespace troupe
