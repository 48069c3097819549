#include "actors/scheduler/commits/placement_results.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(scheduler_fixture, "the policy is told of all placements of an answer") {
  submit(1, 2);
  REQUIRE(parts.decisions.decide(0s, {}));
  auto& results = parts.results;
  results.begin();
  results.grant(parts.batch[0], 3s);
  results.refuse(parts.batch[1], {1, conflict_cause::taken, 7, 0, {}}, 3s);
  results.tell();
  REQUIRE(told.size() == 2);
  CHECK(told[0].accepted);
  CHECK(told[0].delay == 3s);
  CHECK_FALSE(told[1].accepted);
  CHECK(counts().running == 1);
  CHECK(parts.counters.of(0).conflicts == 1);
  CHECK(parts.transactions[parts.batch[0].transaction].conflicted);
}

TEST_CASE("a diverted placement is charged to the machine that was granted") {
  scheduler_fixture all{small_limits(view_source::own_tasks)};
  all.submit(1, 1);
  REQUIRE(all.parts.decisions.decide(0s, {}));
  all.parts.results.divert(all.parts.batch[0], 1, 0s);
  CHECK(all.parts.batch[0].machine == 1);
  CHECK(all.parts.charged.seen().free(0) == resources::of_slots(2));
  CHECK(all.parts.charged.seen().free(1) == one_slot);
}
