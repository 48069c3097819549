#include "model/owner/partition_state.hpp"
#include "policies/adaptive.hpp"
#include "support/policy_picks.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

placement_outcome accepted(duration delay) {
  return {{1, 0}, 0, true, {}, delay};
}

placement_outcome refused() {
  return {{1, 0}, 0, false, conflict_cause::taken, 0s};
}

void learn(adaptive& policy, std::vector<placement_outcome> outcomes) {
  policy.learn(outcomes);
}

} // namespace

TEST_CASE("the policy starts with quality and changes over when the delay exceeds tau") {
  adaptive policy{1500ms, 0.5};
  CHECK_FALSE(policy.prefers_latency());
  learn(policy, {accepted(1s)}); // the average is 1 s
  CHECK_FALSE(policy.prefers_latency());
  learn(policy, {accepted(2s)}); // 1.5 s: not above tau
  CHECK_FALSE(policy.prefers_latency());
  learn(policy, {accepted(2s)}); // 1.75 s
  CHECK(policy.prefers_latency());
  learn(policy, {accepted(1500ms)}); // 1.625 s
  CHECK(policy.prefers_latency());
  learn(policy, {accepted(1s)}); // 1.3125 s: and back
  CHECK_FALSE(policy.prefers_latency());
}

TEST_CASE("a commit counts once, with the mean delay of what was accepted") {
  adaptive policy{1500ms, 0.5};
  learn(policy, {accepted(0s), accepted(1s), refused(), accepted(2s)}); // 1 s
  learn(policy, {accepted(1s), accepted(3s)});                          // 1.5 s
  CHECK_FALSE(policy.prefers_latency());
  learn(policy, {accepted(1510ms)}); // 1.505 s
  CHECK(policy.prefers_latency());
}

TEST_CASE("a commit that was refused whole says nothing about the delay") {
  adaptive policy{1500ms, 0.5};
  learn(policy, {accepted(2s)});
  REQUIRE(policy.prefers_latency());
  for (int i = 0; i < 100; ++i)
    learn(policy, {refused(), refused()});
  learn(policy, {});
  CHECK(policy.prefers_latency());
}

TEST_CASE("a small weight takes many commits to change over") {
  adaptive policy{1s, 0.1};
  learn(policy, {accepted(0s)});
  int commits = 0;
  for (; !policy.prefers_latency(); ++commits)
    learn(policy, {accepted(2s)});
  CHECK(commits == 7); // 1 - 0.9^7 = 0.52 is the first above a half
}

TEST_CASE("it picks as the policy that it is at the moment would") {
  const auto machines = slot_catalog({9, 1, 3, 2}, 2, 1); // {9, 1} and {3, 2}
  view seen{machines, 0s};
  const auto fresh = machines.place_of(3).partition;
  partition_state idle{machines, fresh, conflict_detection::fine};
  seen.apply(idle.snapshot(1s), 1);
  const auto best = machines.place_of(0).partition;
  REQUIRE(best != fresh);
  adaptive policy{1500ms, 0.1};
  random_stream random{1};
  for (int i = 0; i < 50; ++i)
    CHECK(machines.place_of(*pick(policy, seen, random)).partition == best);
  learn(policy, {accepted(5s)});
  for (int i = 0; i < 50; ++i)
    CHECK(machines.place_of(*pick(policy, seen, random)).partition == fresh);
  fill(seen, 0);
  fill(seen, 1);
  CHECK_FALSE(pick(policy, seen, random));
  adaptive other{1500ms, 0.1};
  CHECK_FALSE(pick(other, seen, random));
}
