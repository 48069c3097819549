// A scheduler that places tasks as the built-in one does, until it is told to make a mistake.
#include "actors/common/handlers.hpp"
#include "actors/plugin/scheduler_plugin.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <csignal>
#include <cstdlib>
#include <optional>
#include <stdexcept>

namespace faulty {

using namespace troupe;

/// INTERNAL: a decision has taken its time.
struct decided {
  std::uint64_t number = 0;
};

template <class I>
typename I::result_type inspect(I& f, decided& x) {
  return inspect_fields(f, "faulty::decided", x.number);
}

using actor = owner_client_actor::extend<caf::reacts_to<decided>, caf::reacts_to<wake_atom>,
                                         caf::reacts_to<resend_atom>>;

} // namespace faulty

CAF_BEGIN_TYPE_ID_BLOCK(faulty, caf::id_block::troupe::end)
CAF_ADD_TYPE_ID(faulty, (faulty::decided))
CAF_END_TYPE_ID_BLOCK(faulty)

namespace faulty {

namespace {

struct state {
  static inline const char* name = "faulty";

  state() = default;

  scheduler_world world;
  std::string fault;
  std::optional<scheduler_core> core;
  std::vector<owner_actor> owners;
  bool deciding = false;
  std::uint64_t decisions = 0;
  std::optional<instant> wakes; ///< when it decides again
};

using self_pointer = actor::stateful_pointer<state>;

instant now(self_pointer self) {
  return self->state.world.clock.now(self);
}

void spoil(const state& st, owner_id& to, commit_request& what) {
  if (what.placements.empty())
    return;
  auto& p = what.placements.front();
  if (st.fault == "unknown-machine")
    p.machine = st.world.machines->machines() + 7;
  else if (st.fault == "twice")
    what.placements.push_back(p);
  else if (st.fault == "other-owner")
    to = (to + 1) % static_cast<owner_id>(st.owners.size());
  else if (st.fault == "other-demand")
    p.demand = resources::of_slots(1'000);
  else if (st.fault == "unknown-task")
    p.task.index += 1'000;
  else if (st.fault == "other-scheduler")
    what.scheduler = 77;
  else if (st.fault == "same-number")
    what.id = 1;
  else if (st.fault == "launches") {
    what.mode = commit_mode::launch;
    what.settles = 999;
  }
}

void send(self_pointer self, std::vector<scheduler_core::outgoing> commits) {
  auto& st = self->state;
  for (auto& [to, request] : commits) {
    spoil(st, to, request);
    self->send(st.owners[to], std::move(request));
  }
}

void decide(self_pointer self) {
  auto& st = self->state;
  if (st.deciding || st.owners.empty())
    return;
  if (const auto cost = st.core->decide(now(self))) {
    st.deciding = true;
    self->delayed_send(self, *cost, decided{++st.decisions});
  } else if (const auto due = st.core->next_retry(); due && (!st.wakes || *due < *st.wakes)) {
    st.wakes = due;
    self->scheduled_send(self, st.world.clock.at(*due), wake_atom_v);
  }
}

actor::behavior_type behavior(self_pointer self, scheduler_world world) {
  install_handlers(self);
  auto& st = self->state;
  st.world = std::move(world);
  st.fault = st.world.settings.get<std::string>("fault");
  st.core.emplace(st.world.id, *st.world.machines, st.world.owner_of,
                  st.world.make_policy(st.world.policy), st.world.limits, st.world.random,
                  instant{0}, st.world.group, st.world.tenants);
  return {
    [self](const peers& all) {
      self->state.owners = to_handles<owner_actor>(all.owners);
      self->delayed_send(self, self->state.world.limits.commit_timeout, resend_atom_v);
      decide(self);
    },
    [self](submission& what) {
      if (self->state.fault == "throws")
        throw std::runtime_error("this is too much");
      if (self->state.fault == "exits")
        std::exit(0);
      if (self->state.fault == "crashes")
        std::raise(SIGSEGV);
      if (self->state.fault == "quits")
        self->quit();
      if (self->state.fault == "hurries")
        for (auto& j : what.jobs)
          for (auto& group : j.groups)
            group.after.clear();
      self->state.core->submit(std::move(what.jobs));
      decide(self);
    },
    [self](sample_atom) {
      auto& known = *self->state.core;
      return scheduler_status{known.id(), known.idle(), known.take_samples(now(self))};
    },
    [self](const commit_reply& reply) {
      send(self, self->state.core->answer(reply, now(self)));
      decide(self);
    },
    [self](sync_update& update) {
      self->state.core->refresh(std::move(update), now(self));
      decide(self);
    },
    [self](const task_report& report) {
      auto& known = self->state;
      const auto seen = known.core->report(report);
      self->send(known.owners[report.owner], report_seen{known.world.id, seen});
      decide(self);
    },
    [self](wake_atom) {
      self->state.wakes.reset();
      decide(self);
    },
    [self](resend_atom) {
      send(self, self->state.core->overdue(now(self)));
      self->delayed_send(self, self->state.world.limits.commit_timeout, resend_atom_v);
    },
    [self](const decided&) {
      self->state.deciding = false;
      send(self, self->state.core->commit(now(self)));
      decide(self);
    },
  };
}

} // namespace

} // namespace faulty

TROUPE_SCHEDULER_PLUGIN({
  .name = "faulty",
  .summary = "places tasks on a view until it makes a mistake",
  .settings = {{.name = "fault",
                .meaning = "what it does wrong",
                .standard = "none",
                .choices = {"none", "unknown-machine", "twice", "other-owner", "other-demand",
                            "unknown-task", "other-scheduler", "same-number", "launches", "hurries",
                            "throws", "quits", "spawn-throws", "no-actor", "exits", "crashes"}}},
  .protocol = troupe::scheduler_protocol::owners,
  .register_types =
    [](caf::actor_system_config& config) { config.add_message_types<caf::id_block::faulty>(); },
  .spawn = [](caf::actor_system& system, troupe::scheduler_world world) -> troupe::scheduler_actor {
    const auto fault = world.settings.get<std::string>("fault");
    if (fault == "spawn-throws")
      throw std::runtime_error("there is no stage");
    if (fault == "no-actor")
      return {};
    return system.spawn(faulty::behavior, std::move(world));
  },
});
