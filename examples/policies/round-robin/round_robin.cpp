#include "round_robin.hpp"

#include "round_robin_core.hpp"

#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <actors/common/handlers.hpp>

namespace round_robin {

namespace {

struct state {
  static inline const char* name = "round-robin";

  state() = default;

  troupe::scheduler_world world;
  std::optional<core> knows;
  bool deciding = false;
};

using self_pointer = scheduler_actor::stateful_pointer<state>;

void decide(self_pointer self) {
  auto& st = self->state;
  const auto cost = st.deciding ? std::nullopt : st.knows->decide();
  if (!cost)
    return;
  st.deciding = true;
  self->delayed_send(self, *cost, turn{});
}

void send(self_pointer self, const std::vector<core::order>& orders) {
  for (const auto& o : orders)
    caf::anon_send((*self->state.world.queues)[o.machine], o.entry);
}

scheduler_actor::behavior_type behavior(self_pointer self, troupe::scheduler_world world) {
  troupe::install_handlers(self);
  auto& st = self->state;
  st.world = std::move(world);
  st.knows.emplace(st.world, st.world.settings.get<std::uint32_t>("stride"));
  return {
    [](const troupe::peers&) {},
    [self](troupe::submission& what) {
      self->state.knows->submit(std::move(what.jobs));
      decide(self);
    },
    [self](troupe::sample_atom) {
      auto& st = self->state;
      return troupe::scheduler_status{st.world.id, st.knows->idle(),
                                      st.knows->take_samples(st.world.clock.now(self))};
    },
    [](const troupe::get_task_request&) {}, // nothing is ever reserved
    [](const troupe::probe_answer&) {},     // or asked
    [self](const troupe::task_news& news) {
      send(self, self->state.knows->book(news));
      decide(self);
    },
    [self](const troupe::capacity_notice& what) {
      const auto& world = self->state.world;
      caf::anon_send((*world.queues)[what.machine],
                     troupe::capacity_heard{world.id, what.number}); // before all else
      send(self, self->state.knows->set_capacity(what));
    },
    [self](turn) {
      self->state.deciding = false;
      send(self, self->state.knows->place());
      decide(self);
    },
  };
}

} // namespace

} // namespace round_robin

TROUPE_SCHEDULER_PLUGIN({
  .name = "round-robin",
  .summary = "sends every task to the queue of the next machine that could ever run it",
  .settings = {{.name = "stride",
                .meaning = "machines from one task's to the next one's",
                .standard = 1,
                .min = 1,
                .max = 1'000'000}},
  .protocol = troupe::scheduler_protocol::queues,
  .register_types =
    [](caf::actor_system_config& config) {
      config.add_message_types<caf::id_block::round_robin>();
    },
  .spawn = [](caf::actor_system& system, troupe::scheduler_world world) -> troupe::scheduler_actor {
    return system.spawn(round_robin::behavior, std::move(world));
  },
});
