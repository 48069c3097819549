#include "actors/scheduler/view/view_updates.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(scheduler_fixture, "a snapshot is charged with the commits it does not know") {
  submit(1, 2);
  const auto sent = place(); // both on machine 0
  REQUIRE(sent.size() == 1);
  SUBCASE("it does not know the commit") {
    parts.updates.refresh({0, 1, 0, {{0, 1s, {2, 2}, {}}}}, 1s);
    CHECK(parts.charged.seen().free(0) == resources{});
  }
  SUBCASE("it knows the commit, which was refused") {
    parts.updates.refresh({0, 1, sent[0].second.id, {{0, 1s, {2, 2}, {}}}}, 1s);
    CHECK(parts.charged.seen().free(0) == resources::of_slots(2));
  }
  CHECK(parts.charged.has_gained());
  CHECK(parts.counters.own().snapshots == 1);
}

TEST_CASE_FIXTURE(scheduler_fixture, "a refused machine is believed to be as the owner says") {
  submit(1, 1);
  const auto sent = place();
  const auto& commit = *parts.commits.find(0, sent[0].second.id);
  parts.updates.refuse(commit, {0, commit.id, {{0, conflict_cause::taken, 7, 9, one_slot}}});
  CHECK(parts.charged.seen().free(0) == one_slot);
  CHECK(parts.charged.seen().version(0) == 9);
}
