#include "actors/scheduler/decisions/placement_charger.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(scheduler_fixture, "a placement that is taken back leaves no charge") {
  const auto j = slot_job(1, 2);
  decision_context context{0s, parts.random};
  auto& charger = parts.charger;
  const auto number = charger.open(waiting_one(j));
  charger.add(waiting_one(j), 3, number, context);
  CHECK(charger.open(waiting_one(j, 1)) == number); // the same job at the same time
  CHECK(parts.batch.size() == 1);
  CHECK(parts.transactions[number].tasks == 1);
  CHECK(parts.charged.seen().free(3) == one_slot);
  charger.take_back_last();
  CHECK(parts.batch.empty());
  CHECK(parts.charged.seen().free(3) == resources::of_slots(2));
  CHECK(charger.open(waiting_one(j)) == number + 1); // another decision
}
