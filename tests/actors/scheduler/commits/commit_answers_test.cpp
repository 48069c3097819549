#include "actors/scheduler/commits/commit_answers.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(scheduler_fixture, "an answer is booked once") {
  submit(1, 2);
  const auto sent = place().at(0);
  grant(sent, 1s);
  grant(sent, 1s);
  CHECK(counts().placed == 2);
  CHECK(counts().in_commit == 0);
}

TEST_CASE_FIXTURE(scheduler_fixture,
                  "a gang is launched or released when all owners have answered") {
  submit(1, 3, true);
  const auto sent = place();
  REQUIRE(sent.size() == 2);
  CHECK(grant(sent[0], 1s).empty());
  CHECK(counts().running == 0);
  SUBCASE("all hold it") {
    const auto launches = grant(sent[1], 2s);
    REQUIRE(launches.size() == 2);
    CHECK(launches[0].second.mode == commit_mode::launch);
    CHECK(launches[0].second.settles == sent[0].second.id);
    grant(launches[0], 3s);
    grant(launches[1], 3s);
    CHECK(counts().running == 3);
  }
  SUBCASE("one does not") {
    const auto releases = refuse(sent[1], 2s);
    REQUIRE(releases.size() == 1);
    CHECK(releases[0].first == sent[0].first);
    CHECK(releases[0].second.mode == commit_mode::release);
    refuse(releases[0], 3s);
    CHECK(counts().queued == 3);
    CHECK(counts().in_commit == 0);
  }
}

TEST_CASE("a diversion counts when the placement is granted, not when it is held") {
  auto limits = small_limits();
  limits.candidates = 2;
  scheduler_fixture all{limits};
  all.submit(1, 3, true);
  const auto sent = all.place();
  REQUIRE(sent.size() == 2);
  auto held = commit_reply{sent[0].first, sent[0].second.id, {}};
  held.diversions.push_back({0, sent[0].second.placements[0].machine ^ 1U});
  CHECK(all.parts.answers.book(held, 1s).empty());
  const auto& attempts = all.parts.counters.of(0).attempts;
  CHECK(attempts.diverted == 0);
  SUBCASE("it is launched") {
    const auto launches = all.grant(sent[1], 2s);
    REQUIRE(launches.size() == 2);
    all.grant(launches[0], 3s);
    all.grant(launches[1], 3s);
    CHECK(all.counts().running == 3);
    CHECK(attempts.diverted == 1);
  }
  SUBCASE("it is released") {
    const auto releases = all.refuse(sent[1], 2s);
    REQUIRE(releases.size() == 1);
    all.refuse(releases[0], 3s);
    CHECK(all.counts().queued == 3);
    CHECK(attempts.diverted == 0);
  }
}
