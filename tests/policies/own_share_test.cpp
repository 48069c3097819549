#include "model/view/own_share.hpp"
#include "policies/registry.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Scheduler 1 of 2 on 4 partitions of 2 machines with 1 slot each: 1 and 3 are its own.
struct own_share_fixture {
  catalog machines = slot_catalog(lognormal_scores(8), 4, 1);
  view seen{machines, 0s};
  random_stream random{7};

  /// Lets a policy pick, and charges the pick.
  std::optional<partition_id> pick(own_share& share, placement_policy& policy,
                                   const resources& demand = one_slot) {
    decision_context context{0s, random};
    const auto m = share.pick(seen, [&] { return policy.pick(seen, {{1, 0}, demand}, context); });
    if (!m)
      return std::nullopt;
    CHECK(seen.fits(*m, demand));
    seen.take(*m, demand);
    return seen.machines().place_of(*m).partition;
  }
};

} // namespace

TEST_CASE("partitions are dealt out in turn") {
  using list = std::vector<partition_id>;
  CHECK(own_share::dealt(sharing::hard, 1, 3, 8).own() == list{1, 4, 7});
  CHECK(own_share::dealt(sharing::hard, 2, 3, 8).own() == list{2, 5});
  CHECK(own_share::dealt(sharing::none, 2, 3, 8).own().empty());
}

TEST_CASE_FIXTURE(own_share_fixture, "a hidden partition shows nothing and is kept up to date") {
  seen.hide(1, true);
  CHECK(seen.hidden(1));
  CHECK(seen.units(1) == 0);
  CHECK(seen.weight(1) == 0);
  CHECK(seen.mean_weight(1) == 0);
  CHECK(seen.units() == 6);
  const auto m = machines.members(1)[0];
  CHECK_FALSE(seen.fits(m, one_slot));
  CHECK_FALSE(seen.sample_by_score(1, one_slot, random));
  for (int i = 0; i < 50; ++i)
    CHECK(machines.place_of(*seen.sample_evenly(one_slot, random)).partition != 1);
  seen.take(m, one_slot);
  CHECK(seen.units() == 6);
  seen.hide(1, false);
  CHECK(seen.units(1) == 1);
  CHECK(seen.units() == 7);
  seen.give(m, one_slot);
  CHECK(seen.units() == 8);
  CHECK(seen.fits(m, one_slot));
}

TEST_CASE_FIXTURE(own_share_fixture, "a hard share is never left, whatever the policy") {
  for (const auto& policy : builtin_policies()) {
    CAPTURE(policy.name);
    seen = view{machines, 0s};
    auto share = own_share::dealt(sharing::hard, 1, 2, 4);
    share.begin(seen);
    const auto chooses = make_policy(policy.name, {});
    for (int i = 0; i < 4; ++i)
      CHECK(pick(share, *chooses).value() % 2 == 1);
    CHECK_FALSE(pick(share, *chooses));
  }
}

TEST_CASE_FIXTURE(own_share_fixture, "a soft share is left only while it has no room") {
  for (const auto& policy : builtin_policies()) {
    CAPTURE(policy.name);
    seen = view{machines, 0s};
    auto share = own_share::dealt(sharing::soft, 1, 2, 4);
    share.begin(seen);
    const auto chooses = make_policy(policy.name, {});
    for (int i = 0; i < 4; ++i)
      CHECK(pick(share, *chooses).value() % 2 == 1);
    for (int i = 0; i < 2; ++i)
      CHECK(pick(share, *chooses).value() % 2 == 0);
    seen.give(machines.members(3)[1], one_slot);
    CHECK(pick(share, *chooses) == 3);
    for (int i = 0; i < 2; ++i)
      CHECK(pick(share, *chooses).value() % 2 == 0);
    CHECK_FALSE(pick(share, *chooses));
  }
}

TEST_CASE_FIXTURE(own_share_fixture,
                  "what does not fit on the own partitions does not keep the rest away") {
  const auto larger = slot_catalog({1, 1, 1, 1, 1, 1, 1, 1}, 4, 2);
  seen = view{larger, 0s};
  own_share share{sharing::soft, {1}};
  share.begin(seen);
  const auto policy = make_policy("quality-first", {});
  for (auto m : larger.members(1))
    seen.take(m, one_slot);
  CHECK(pick(share, *policy, resources::of_slots(2)).value() != 1);
  CHECK(pick(share, *policy) == 1);
  CHECK(pick(share, *policy, resources::of_slots(2)).value() != 1);
  CHECK(pick(share, *policy) == 1);
  CHECK(pick(share, *policy).value() != 1);
}

TEST_CASE_FIXTURE(own_share_fixture, "any set of partitions can be someone's own") {
  own_share share{sharing::hard, {0, 2, 3}};
  share.begin(seen);
  CHECK(seen.units() == 6);
  CHECK(seen.hidden(1));
}
