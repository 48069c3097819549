#include <cstdio>
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

/// One machine has room for six tasks more than the other; enough draws always find it.
void test_that_the_roomiest_is_picked() {
  const auto slot = resources::of_slots(1);
  const auto machines = machines_with({resources::of_slots(2), resources::of_slots(8)}, slot);
  view seen{machines, instant{0}};
  const auto policy = make_policy("power-of-k", {{"k", 64}});
  const auto six = run_trial(*policy, seen, equal_tasks(6, slot));
  expect(six.clean(), "every pick has room");
  expect(six.count(1) == 6, "all six tasks go to the roomier machine");
}

void test_that_a_full_cluster_gives_nothing() {
  const auto machines = slot_machines(10, 1);
  view seen{machines, instant{0}};
  const auto policy = make_policy("power-of-k", {});
  const auto result = run_trial(*policy, seen, equal_tasks(12, resources::of_slots(1)));
  expect(result.clean(), "every pick has room");
  expect(result.picks[9].has_value() && !result.picks[10] && !result.picks[11],
         "ten tasks find a place, two do not");
}

} // namespace

int main(int, char** argv) {
  load_plugin(argv[1]);
  test_that_the_roomiest_is_picked();
  test_that_a_full_cluster_gives_nothing();
  return failures;
}
