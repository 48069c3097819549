#include "project_template.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

constexpr const char* source = R"(#include <policies/plugin.hpp>
#include <policies/scoring_policy.hpp>

namespace {

using namespace troupe;

/// What a policy may look at: the view (what is believed free, how old that is), the machines
/// (capacities, scores, attributes) and the task. See policies/policy.hpp for all that a policy can
/// do: it may also pick machines in any way of its own, and learn what became of its picks.
class @ID@ final : public scoring_policy {
public:
  using scoring_policy::scoring_policy;

  /// The machine with the highest score is picked, of those that have room. Here: the better the
  /// machine, and the more of it is free.
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

constexpr const char* test = R"(#include <cstdio>
#include <policies/plugin_library.hpp>
#include <policies/policy_trial.hpp>

using namespace troupe;

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
  if (!holds) {
    std::printf("failed: %s\n", what);
    ++failures;
  }
}

void test_that_the_emptier_machine_is_picked() {
  const auto slot = resources::of_slots(1);
  const auto machines = machines_with({resources::of_slots(2), resources::of_slots(8)}, slot);
  view seen{machines, instant{0}};
  const auto policy = make_policy("@NAME@", {{"candidates", 0}});
  const auto result = run_trial(*policy, seen, equal_tasks(5, slot));
  expect(result.clean(), "every pick has room");
  expect(result.count(1) == 5, "all five tasks go to the emptier machine");
}

/// Tries the policy on two machines until they are full: `tasks` fit, and two more do not. What is
/// drawn at random must not matter, so this is done for many seeds.
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

constexpr const char* cmake = R"(cmake_minimum_required(VERSION 3.25)
project(@ID@ LANGUAGES CXX)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_package(Troupe 0.1 REQUIRED)

troupe_add_policy(@ID@ @ID@.cpp)

enable_testing()
add_executable(@ID@_test @ID@_test.cpp)
target_link_libraries(@ID@_test PRIVATE troupe::policies)
add_test(NAME @ID@_test COMMAND @ID@_test $<TARGET_FILE:@ID@>)
)";

constexpr const char* settings_template =
  R"(# A small cluster whose schedulers use the plugin; from this folder, once it is built:
#   troupe run run.toml
name = "@NAME@"
schedulers = 5

[plugins]
paths = ["build/@ID@.so"]

[cluster]
machines = 500
partitions = 20
owners = 4

[scheduler]
policy = "@NAME@"

[policy.@NAME@]
candidates = 4

[workload]
duration = { kind = "exponential", value = 2 }

[[workload.phases]]
length = "10s"
rate = 300
)";

constexpr const char* readme = R"(# @NAME@: a placement policy for Troupe

    cmake -S . -B build -DCMAKE_PREFIX_PATH=@PREFIX@
    cmake --build build
    ctest --test-dir build
    troupe check policy @NAME@ --plugin build/@ID@.so
    troupe run run.toml
    troupe run run.toml --set policy.@NAME@.candidates=10

| file | what it is |
|---|---|
| `@ID@.cpp` | the policy: what it is called, what can be set, how it picks |
| `@ID@_test.cpp` | its test, on views made by hand |
| `run.toml` | a small cluster that uses it |
)";

std::string filled(std::string text,
                   const std::vector<std::pair<std::string, std::string>>& words) {
  for (const auto& [mark, word] : words)
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + word.size()))
      text.replace(at, mark.size(), word);
  return text;
}

} // namespace

std::vector<project_file> filled_project(std::vector<project_file> files, const std::string& name,
                                         const std::string& prefix) {
  auto id = name;
  std::ranges::replace(id, '-', '_');
  const std::vector<std::pair<std::string, std::string>> words{
    {"@NAME@", name}, {"@ID@", id}, {"@PREFIX@", prefix}};
  for (auto& file : files)
    file = {filled(file.name, words), filled(file.text, words)};
  return files;
}

std::vector<project_file> policy_project(const std::string& name, const std::string& prefix) {
  return filled_project({{"CMakeLists.txt", cmake},
                         {"@ID@.cpp", source},
                         {"@ID@_test.cpp", test},
                         {"run.toml", settings_template},
                         {"README.md", readme},
                         {".gitignore", "build/\nresults/\n"}},
                        name, prefix);
}

} // namespace troupe
