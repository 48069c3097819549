#include "policies/registry.hpp"
#include "support/attribute_cluster.hpp"
#include "support/policy_picks.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("best-fit packs machines one by one, worst-fit takes each in turn") {
  const auto machines = slot_catalog(lognormal_scores(20), 4, 3);
  for (const auto* name : {"best-fit", "worst-fit"}) {
    view seen{machines, 0s};
    const auto policy = make_policy(name, {});
    random_stream random{1};
    std::set<machine_id> used;
    for (int i = 0; i < 18; ++i) {
      const auto m = pick(*policy, seen, random).value();
      used.insert(m);
      seen.take(m, one_slot);
    }
    CHECK(used.size() == (std::string(name) == "best-fit" ? 6 : 18));
  }
}

TEST_CASE("the setting limits how many machines are looked at") {
  const auto machines = slot_catalog(lognormal_scores(400), 4, 1);
  const view seen{machines, 0s};
  const auto all = make_policy("best-fit", {});
  const auto some = make_policy("best-fit", {{"scan", 4}});
  std::set<machine_id> by_all;
  std::set<machine_id> by_some;
  random_stream random{3};
  for (int i = 0; i < 50; ++i) {
    by_all.insert(pick(*all, seen, random).value());
    by_some.insert(pick(*some, seen, random).value());
  }
  CHECK(by_all.size() == 1);
  CHECK(by_some.size() > 20);
}

TEST_CASE("every policy honours the filter of a request and says when nothing passes") {
  const auto machines = disk_catalog(std::vector<std::uint32_t>(60, hdd), 6, 2);
  for (const auto& info : builtin_policies()) {
    CAPTURE(info.name);
    const auto policy = make_policy(info.name, {});
    const view seen{machines, 0s};
    random_stream random{1};
    decision_context context{0s, random};
    machine_set away;
    for (int i = 0; i < 60; ++i) {
      const auto m = policy->pick(seen, {{}, one_slot, {nullptr, &away, nullptr}}, context);
      REQUIRE(m);
      REQUIRE(away.insert(*m).second);
    }
    CHECK_FALSE(policy->pick(seen, {{}, one_slot, {nullptr, &away, nullptr}}, context));
  }
}

TEST_CASE("policies that go by score go by the scores of the task's class") {
  std::vector<std::uint32_t> kinds(40);
  for (std::uint32_t i = 0; i < 40; ++i)
    kinds[i] = i % 4 < 2 ? hdd : ssd;
  const auto machines =
    disk_catalog(kinds, 2, 1, {{"fast", {{parse_constraint("disk == ssd"), 6}}}});
  const view seen{machines, 0s};
  for (const auto* name : {"quality-first", "latency-first", "adaptive"}) {
    CAPTURE(name);
    const auto policy = make_policy(name, {});
    random_stream random{1};
    decision_context context{0s, random};
    int fast = 0;
    int plain = 0;
    for (int i = 0; i < 500; ++i) {
      fast += machines.machine(*policy->pick(seen, {{}, one_slot, {}, 1}, context)).kind == ssd;
      plain += machines.machine(*policy->pick(seen, {{}, one_slot, {}, 0}, context)).kind == ssd;
    }
    CHECK(fast > 480); // e^6 against 1
    CHECK(plain < 400);
  }
}
