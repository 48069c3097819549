#include "policies/policy_trial.hpp"
#include "policies/scoring_policy.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <set>
#include <stdexcept>

using namespace troupe;

namespace {

class by_number final : public scoring_policy {
public:
  using scoring_policy::scoring_policy;

  double score(const view&, const task_request&, machine_id m) override {
    looked_at.insert(m);
    return m == bad ? std::numeric_limits<double>::quiet_NaN() : -static_cast<double>(m % 7);
  }

  std::set<machine_id> looked_at;
  machine_id bad = 1'000;
};

const auto one = resources::of_slots(1);

} // namespace

TEST_CASE("without candidates all machines with room are looked at, the first of the best wins") {
  const auto machines = slot_machines(20, 1, 4);
  view seen{machines, instant{0}};
  by_number policy;
  const auto result = run_trial(policy, seen, equal_tasks(4, one));
  CHECK(policy.is_exhaustive());
  CHECK(result.picks == std::vector<std::optional<machine_id>>{0, 7, 14, 1});
  CHECK(policy.looked_at.size() == 20);
}

TEST_CASE("hidden partitions and machines that do not pass the filter are not looked at") {
  const auto machines = slot_machines(20, 1, 4);
  view seen{machines, instant{0}};
  seen.hide(machines.place_of(0).partition, true);
  const machine_set away{7};
  auto tasks = equal_tasks(1, one);
  tasks[0].filter.away = &away;
  by_number policy;
  const auto result = run_trial(policy, seen, tasks);
  CHECK(result.clean());
  CHECK(result.picks.front() == machine_id{14});
  CHECK_FALSE(policy.looked_at.contains(0));
  CHECK_FALSE(policy.looked_at.contains(7));
}

TEST_CASE("with candidates no more machines than these are looked at") {
  const auto machines = slot_machines(500, 1, 4);
  view seen{machines, instant{0}};
  by_number policy{3};
  CHECK(run_trial(policy, seen, equal_tasks(1, one)).picks.front().has_value());
  CHECK(policy.looked_at.size() <= 3);
  CHECK_FALSE(policy.is_exhaustive());
}

TEST_CASE("a score that is not a number is no score") {
  const auto machines = slot_machines(5, 1);
  view seen{machines, instant{0}};
  by_number policy;
  policy.bad = 3;
  CHECK_THROWS_AS(run_trial(policy, seen, equal_tasks(1, one)), std::domain_error);
}
