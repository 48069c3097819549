#include "templates/project_template.hpp"

namespace troupe {

namespace {

constexpr const char* scheduler_source = R"(#include <actors/common/handlers.hpp>
#include <actors/plugin/scheduler_plugin.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <optional>

namespace @ID@ {

using namespace troupe;

/// INTERNAL: the next step is due: the time of a decision, or of a rest, is over.
struct step {
  bool decided = false;
};

template <class I>
typename I::result_type inspect(I& f, step& x) {
  return inspect_fields(f, "@ID@::step", x.decided);
}

/// A scheduler that commits placements to the owners of partitions, with its internal messages.
using actor = owner_client_actor::extend<caf::reacts_to<step>, caf::reacts_to<wake_atom>>;

} // namespace @ID@

CAF_BEGIN_TYPE_ID_BLOCK(@ID@, caf::id_block::troupe::end)
CAF_ADD_TYPE_ID(@ID@, (@ID@::step))
CAF_END_TYPE_ID_BLOCK(@ID@)

namespace @ID@ {

namespace {

/// `scheduler_core` has the queue, the view and the records, decides by the policy of the settings,
/// and numbers and repeats the messages to owners. You may change when it is called, replace it by
/// your own class, or derive its input from `world`: see actors/scheduler/scheduler_core.hpp.
struct state {
  static inline const char* name = "@NAME@";

  state() = default;

  scheduler_world world;
  std::optional<scheduler_core> core;
  std::vector<owner_actor> owners;
  duration rest{0};
  bool busy = false;            ///< it decides, or rests
  std::optional<instant> wakes; ///< when it looks at its queue again
};

using self_pointer = actor::stateful_pointer<state>;

instant now(self_pointer self) {
  return self->state.world.clock.now(self);
}

void send(self_pointer self, std::vector<scheduler_core::outgoing> commits) {
  for (auto& [owner, request] : commits)
    self->send(self->state.owners[owner], std::move(request));
}

/// Starts the next decision, unless one is in progress or no task can be decided on. It takes
/// modelled time; its placements are committed when that is over.
void decide(self_pointer self) {
  auto& st = self->state;
  if (st.busy || st.owners.empty())
    return;
  if (const auto cost = st.core->decide(now(self))) {
    st.busy = true;
    self->delayed_send(self, *cost, step{true});
  } else if (const auto due = st.core->next_retry(); due && (!st.wakes || *due < *st.wakes)) {
    st.wakes = due; // a task waits for a time
    self->scheduled_send(self, st.world.clock.at(*due), wake_atom_v);
  }
}

actor::behavior_type behavior(self_pointer self, scheduler_world world) {
  install_handlers(self);
  auto& st = self->state;
  st.world = std::move(world);
  st.rest = st.world.settings.get<duration>("rest");
  st.core.emplace(st.world.id, *st.world.machines, st.world.owner_of,
                  st.world.make_policy(st.world.policy), st.world.limits, st.world.random,
                  instant{0}, st.world.group, st.world.tenants);
  return {
    [self](const peers& all) {
      self->state.owners = to_handles<owner_actor>(all.owners);
      decide(self);
    },
    [self](submission& what) {
      self->state.core->submit(std::move(what.jobs));
      decide(self);
    },
    [self](sample_atom) {
      auto& core = *self->state.core;
      return scheduler_status{core.id(), core.idle(), core.take_samples(now(self))};
    },
    [self](const commit_reply& reply) {
      send(self, self->state.core->answer(reply, now(self)));
      decide(self);
    },
    [self](sync_update& update) {
      send(self, self->state.core->overdue(now(self))); // lost messages, again
      self->state.core->refresh(std::move(update), now(self));
      decide(self);
    },
    [self](const task_report& report) {
      const auto seen = self->state.core->report(report);
      self->send(self->state.owners[report.owner], report_seen{self->state.world.id, seen});
      decide(self);
    },
    [self](wake_atom) {
      self->state.wakes.reset();
      decide(self);
    },
    [self](const step& what) {
      auto& own = self->state;
      own.busy = what.decided && own.rest > duration::zero();
      if (what.decided)
        send(self, own.core->commit(now(self)));
      if (own.busy)
        self->delayed_send(self, own.rest, step{});
      decide(self);
    },
  };
}

} // namespace

} // namespace @ID@

TROUPE_SCHEDULER_PLUGIN({
  .name = "@NAME@",
  .summary = "places tasks by its policy, and rests between two decisions",
  .settings = {{.name = "rest",
                .meaning = "time between the end of a decision and the next one",
                .standard = std::chrono::milliseconds{0},
                .min = 0}},
  .protocol = troupe::scheduler_protocol::owners,
  .register_types =
    [](caf::actor_system_config& config) { config.add_message_types<caf::id_block::@ID@>(); },
  .spawn = [](caf::actor_system& system, troupe::scheduler_world world) -> troupe::scheduler_actor {
    return system.spawn(@ID@::behavior, std::move(world));
  },
});
)";

constexpr const char* scheduler_test = R"(#include <cstdio>
#include <policies/plugin_library.hpp>
#include <runtime/cluster/cluster_trial.hpp>

using namespace troupe;

namespace {

@EXPECT@
/// Ten machines of two slots, one scheduler; a decision takes 1 ms for each of at most ten tasks,
/// and every task runs one second.
constexpr const char* cluster = R"x(
schedulers = 1
[cluster]
machines = 10
partitions = 2
owners = 1
[scheduler]
actor = "@NAME@"
policy = "random-fit"
t_task = "1ms"
batch = 10
[workload]
duration = { kind = "fixed", value = 1 }
)x";

constexpr const char* burst_of_20 = R"x(
kind = "burst"
tasks_per_job = { kind = "fixed", value = 20 }
)x";

constexpr const char* load = R"x(
[[workload.phases]]
length = "5s"
rate = 15
)x";

void test_that_everything_is_done_once() {
  const auto results = try_cluster(std::string{cluster} + load);
  const auto tasks = tasks_of(results);
  expect(failed_checks(results).empty(), "the self-checks of the run pass");
  expect(tasks.submitted > 0 && tasks.finished == tasks.submitted, "every task has finished");
}

/// Two batches: twenty tasks fit at once, and the second batch waits for the rest to be over.
void test_that_it_rests_between_two_decisions() {
  const auto settings = std::string{cluster} + burst_of_20;
  const auto quick = try_cluster(settings);
  const auto slow = try_cluster(settings, {"scheduler.@NAME@.rest=3s"});
  expect(tasks_of(quick).finished == 20 && tasks_of(slow).finished == 20, "all tasks have finished");
  expect(quick.simulated < std::chrono::seconds{3}, "without a rest none of them waits");
  expect(slow.simulated > std::chrono::seconds{4}, "with one the second batch does");
}

void test_that_lost_messages_are_made_up_for() {
  const auto results = try_cluster(std::string{cluster} + load, {"network.loss=0.1"});
  const auto tasks = tasks_of(results);
  expect(tasks.finished == tasks.submitted, "every task has finished in spite of losses");
}

void test_that_equal_seeds_give_equal_results() {
  const auto settings = std::string{cluster} + load;
  expect(results_text(try_cluster(settings)) == results_text(try_cluster(settings)),
         "a second run gives the same");
}

} // namespace

int main(int, char** argv) {
  enable_scheduler_plugins();
  load_plugin(argv[1]);
  test_that_everything_is_done_once();
  test_that_it_rests_between_two_decisions();
  test_that_lost_messages_are_made_up_for();
  test_that_equal_seeds_give_equal_results();
  return failures;
}
)";

} // namespace

std::vector<project_file> scheduler_project(const std::string& name, const std::string& prefix) {
  return filled_project({scheduler_source,
                         scheduler_test,
                         {{"@KIND@", "scheduler"},
                          {"@LIBRARY@", "runtime"},
                          {"@TITLE@", "scheduler actor"},
                          {"@USE@", "are the plugin's"},
                          {"@KEY@", "actor"},
                          {"@SETTING@", "rest"},
                          {"@VALUE@", "\"1ms\""},
                          {"@OTHER_VALUE@", "10ms"},
                          {"@DECIDES@", "what it does with each message"},
                          {"@TRIED@", "on small clusters in virtual time"}}},
                        name, prefix);
}

} // namespace troupe
