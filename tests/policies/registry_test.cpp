#include "policies/adaptive.hpp"
#include "policies/registry.hpp"
#include "support/policy_picks.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("every built-in policy can be made, and has a summary") {
  std::vector<std::string> names;
  for (const auto& info : builtin_policies()) {
    CAPTURE(info.name);
    names.emplace_back(info.name);
    CHECK(make_policy(info.name, {}) != nullptr);
    CHECK_FALSE(info.summary.empty());
  }
  CHECK(names == std::vector<std::string>{"adaptive", "best-fit", "latency-first", "quality-first",
                                          "random-fit", "worst-fit"});
}

TEST_CASE("there is no policy of another name") {
  CHECK(make_policy("quality_first", {}) == nullptr);
  CHECK(make_policy("Adaptive", {}) == nullptr);
  CHECK(make_policy("", {}) == nullptr);
}

TEST_CASE("the parameters reach the policy") {
  const auto made = make_policy("adaptive", {{"tau", 3s}, {"ema_weight", 0.5}});
  auto* policy = dynamic_cast<adaptive*>(made.get());
  REQUIRE(policy != nullptr);
  const placement_outcome slow{{1, 0}, 0, true, {}, 2s};
  const placement_outcome slower{{1, 1}, 0, true, {}, 5s};
  policy->learn({&slow, 1});
  CHECK_FALSE(policy->prefers_latency());
  policy->learn({&slower, 1}); // 3.5 s
  CHECK(policy->prefers_latency());
}

TEST_CASE("equal views and equal streams make equal picks, other streams others") {
  const auto machines = slot_catalog(lognormal_scores(300), 10, 2);
  for (const auto& info : builtin_policies()) {
    CAPTURE(info.name);
    const auto picks = [&](random_stream random) {
      view seen{machines, 0s};
      const auto policy = make_policy(info.name, {});
      std::vector<machine_id> out;
      for (int i = 0; i < 200; ++i) {
        out.push_back(pick(*policy, seen, random).value());
        seen.take(out.back(), one_slot);
      }
      return out;
    };
    const auto first = picks(random_stream::derive(1, "scheduler", 0));
    CHECK(first == picks(random_stream::derive(1, "scheduler", 0)));
    // A look at all machines leaves nothing to chance where scores differ.
    CHECK((first == picks(random_stream::derive(1, "scheduler", 1))) ==
          make_policy(info.name, {})->is_exhaustive());
  }
}
