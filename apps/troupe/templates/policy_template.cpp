#include "templates/project_template.hpp"

namespace troupe {

namespace {

constexpr const char* policy_source = R"(#include <policies/plugin.hpp>
#include <policies/scoring_policy.hpp>

namespace {

using namespace troupe;

/// A policy may use the view (the believed free resources, and their age), the machines
/// (capacities, scores, attributes) and the task. See policies/policy.hpp for all functions of a
/// policy: it may also pick machines in its own way, and receive the outcomes of its picks.
class @ID@ final : public scoring_policy {
public:
  using scoring_policy::scoring_policy;

  /// Of the machines that have room, the one with the highest score is picked. Here the score grows
  /// with the machine's own score and with its free resources.
  double score(const view& seen, const task_request& task, machine_id machine) override {
    const auto& machines = seen.machines();
    const auto room = times_fitting(seen.free(machine), task.demand);
    return machines.score(machine, task.task_class) * room;
  }
};

} // namespace

TROUPE_POLICY_PLUGIN({
  .name = "@NAME@",
  .summary = "the best and emptiest of a few machines drawn at random",
  .settings = {{.name = "candidates",
                .meaning = "machines drawn for a task; 0: all are looked at",
                .standard = 4,
                .min = 0,
                .max = 1000}},
  .make = [](const setting_values& settings) -> std::unique_ptr<placement_policy> {
    return std::make_unique<@ID@>(settings.get<std::uint32_t>("candidates"));
  },
});
)";

constexpr const char* policy_test = R"(#include <cstdio>
#include <policies/plugin_library.hpp>
#include <policies/policy_trial.hpp>

using namespace troupe;

namespace {

@EXPECT@
void test_that_the_emptier_machine_is_picked() {
  const auto slot = resources::of_slots(1);
  const auto machines = machines_with({resources::of_slots(2), resources::of_slots(8)}, slot);
  view seen{machines, instant{0}};
  const auto policy = make_policy("@NAME@", {{"candidates", 0}});
  const auto result = run_trial(*policy, seen, equal_tasks(5, slot));
  expect(result.clean(), "every pick has room");
  expect(result.count(1) == 5, "all five tasks go to the emptier machine");
}

/// Tries the policy on two machines until they are full: `tasks` fit, and two more do not. Random
/// draws must not matter, so this is repeated for many seeds.
void test_until_full(const catalog& machines, const resources& demand, std::uint32_t tasks) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    view seen{machines, instant{0}};
    const auto policy = make_policy("@NAME@", {});
    const auto result = run_trial(*policy, seen, equal_tasks(tasks + 2, demand), seed);
    expect(result.clean(), "every pick has room");
    expect(result.picks[tasks - 1].has_value(), "all that fit find a place");
    expect(!result.picks[tasks] && !result.picks[tasks + 1], "no more than that do");
  }
}

void test_that_slots_are_filled() {
  test_until_full(slot_machines(10, 1), resources::of_slots(1), 10);
}

/// Machines of 4 cores and 8 GiB, and of 16 cores and 8 GiB; a unit is 1 core with 2 GiB.
void test_that_cores_and_memory_are_filled() {
  const auto machines = machines_with({cpu_and_memory(4000, 8192), cpu_and_memory(16000, 8192)},
                                      cpu_and_memory(1000, 2048));
  test_until_full(machines, cpu_and_memory(2000, 4096), 4); // more than a unit
  test_until_full(machines, cpu_and_memory(500, 1024), 16); // less
  test_until_full(machines, cpu_and_memory(3000, 512), 6);  // 1 and 5 by cores
}

} // namespace

int main(int, char** argv) {
  load_plugin(argv[1]);
  test_that_the_emptier_machine_is_picked();
  test_that_slots_are_filled();
  test_that_cores_and_memory_are_filled();
  return failures;
}
)";

} // namespace

std::vector<project_file> policy_project(const std::string& name, const std::string& prefix) {
  return filled_project({policy_source,
                         policy_test,
                         {{"@KIND@", "policy"},
                          {"@LIBRARY@", "policies"},
                          {"@TITLE@", "placement policy"},
                          {"@USE@", "use the plugin"},
                          {"@KEY@", "policy"},
                          {"@SETTING@", "candidates"},
                          {"@VALUE@", "4"},
                          {"@OTHER_VALUE@", "10"},
                          {"@DECIDES@", "how it picks"},
                          {"@TRIED@", "on views made by hand"}}},
                        name, prefix);
}

} // namespace troupe
