// A scheduler that uses the queues of machines as the built-in one does, until it is told to make a
// mistake.
#include "actors/common/handlers.hpp"
#include "actors/plugin/scheduler_plugin.hpp"

#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <optional>
#include <stdexcept>

namespace prober {

using namespace troupe;

namespace {

using actor = queue_client_actor::extend<caf::reacts_to<decided_atom>>;

struct state {
  static inline const char* name = "prober";

  state() = default;

  scheduler_world world;
  std::string fault;
  std::optional<sparrow_core> core;
  sparrow_outbox out;
  bool ready = false;
  bool deciding = false;
};

using self_pointer = actor::stateful_pointer<state>;

instant now(self_pointer self) {
  return self->state.world.clock.now(self);
}

void spoil(const state& st, launch_order& order) {
  if (st.fault == "unknown-task")
    order.task.index += 1'000;
  else if (st.fault == "other-demand")
    order.demand = resources::of_slots(0);
  else if (st.fault == "other-scheduler")
    order.launcher = 77;
}

void spoil(const state& st, sparrow_outbox& out) {
  for (auto& [_, answer] : out.assignments)
    if (!answer.none)
      spoil(st, answer.order);
  for (auto& [_, entry] : out.entries)
    if (entry.kind == entry_kind::task)
      spoil(st, entry.order);
  if (st.fault == "answers-twice" && !out.assignments.empty())
    out.assignments.push_back(out.assignments.back());
  if (st.fault == "sends-twice" && !out.entries.empty())
    out.entries.push_back(out.entries.back());
  if (st.fault == "deaf")
    out.heard.clear();
}

void send(self_pointer self) {
  auto& st = self->state;
  spoil(st, st.out);
  st.out.each_kind([&](const auto& orders) {
    for (const auto& [machine, what] : orders)
      caf::anon_send((*st.world.queues)[machine], what);
  });
  st.out.clear();
}

void decide(self_pointer self) {
  auto& st = self->state;
  if (st.deciding || !st.ready)
    return;
  if (const auto cost = st.core->decide(now(self))) {
    st.deciding = true;
    self->delayed_send(self, *cost, decided_atom_v);
  }
}

actor::behavior_type behavior(self_pointer self, scheduler_world world) {
  install_handlers(self);
  auto& st = self->state;
  st.world = std::move(world);
  st.fault = st.world.settings.get<std::string>("fault");
  st.core.emplace(st.world.id, *st.world.machines, st.world.probing, st.world.random,
                  st.world.group);
  return {
    [self](const peers&) {
      self->state.ready = true;
      decide(self);
    },
    [self](submission& what) {
      if (self->state.fault == "quits")
        self->quit();
      self->state.core->submit(std::move(what.jobs));
      decide(self);
    },
    [self](sample_atom) {
      auto& known = *self->state.core;
      return scheduler_status{self->state.world.id, known.idle(), known.take_samples(now(self)),
                              known.places()};
    },
    [self](const get_task_request& request) {
      self->state.core->asked(request, self->state.out);
      send(self);
    },
    [self](const probe_answer& answer) {
      self->state.core->answer(answer, self->state.out);
      send(self);
    },
    [self](const task_news& news) {
      self->state.core->book(news, self->state.out);
      send(self);
    },
    [self](const capacity_notice& what) {
      self->state.core->set_capacity(what, self->state.out);
      send(self);
    },
    [self](decided_atom) {
      self->state.deciding = false;
      self->state.core->place(self->state.out);
      send(self);
      decide(self);
    },
  };
}

} // namespace

} // namespace prober

TROUPE_SCHEDULER_PLUGIN({
  .name = "prober",
  .summary = "uses the queues of machines until it makes a mistake",
  .settings = {{.name = "fault",
                .meaning = "what it does wrong",
                .standard = "none",
                .choices = {"none", "unknown-task", "other-demand", "other-scheduler",
                            "answers-twice", "sends-twice", "deaf", "quits", "no-actor"}}},
  .protocol = troupe::scheduler_protocol::queues,
  .spawn = [](caf::actor_system& system, troupe::scheduler_world world) -> troupe::scheduler_actor {
    if (world.settings.get<std::string>("fault") == "no-actor")
      return {};
    return system.spawn(prober::behavior, std::move(world));
  },
});
