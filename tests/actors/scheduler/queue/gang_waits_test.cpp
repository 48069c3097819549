#include "actors/scheduler/queue/gang_waits.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(scheduler_fixture, "a gang without room waits until the view has gained") {
  const auto& seen = parts.charged.seen();
  gang_waits gangs{false};
  auto j = slot_job(1, 4);
  j.gang = true;
  auto whole = waiting_one(j);
  whole.whole = true;
  for (machine_id m = 0; m < 4; ++m)
    parts.charged.correct(m, {}, 0);
  gangs.put(whole, parts.rules.need_of(j), seen, false, 0s);
  CHECK(gangs.knows(1));
  CHECK_FALSE(gangs.next_due()); // nothing but a gain can help
  CHECK_FALSE(gangs.are_due(false, 9s));
  CHECK(gangs.are_due(true, 0s));
  CHECK(gangs.take(seen, false, 0s).empty());
  parts.charged.correct(0, resources::of_slots(2), 0);
  parts.charged.correct(1, resources::of_slots(2), 0);
  CHECK(gangs.take(seen, false, 0s).size() == 1);
  CHECK_FALSE(gangs.has_no_room(seen, 1));
  gangs.placed(1, {});
  CHECK_FALSE(gangs.any());
}

TEST_CASE_FIXTURE(scheduler_fixture,
                  "a gang that seemed to have room is tried again after a second") {
  gang_waits gangs{false};
  auto j = slot_job(1, 4);
  auto whole = waiting_one(j);
  whole.whole = true;
  gangs.put(whole, parts.rules.need_of(j), parts.charged.seen(), false, 2s);
  CHECK(gangs.next_due() == std::optional<instant>{3s});
  CHECK_FALSE(gangs.are_due(false, 2999ms));
  CHECK(gangs.are_due(false, 3s));
}
