#include "actors/sparrow/parts_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(sparrow_fixture, "a task that is put back is taken again before fresh ones") {
  auto& j = submit(slot_job(1, 3));
  CHECK(j.take_task(0) == 0);
  CHECK(j.take_task(0) == 1);
  j.put_back(0);
  CHECK(j.ready() == 2);
  CHECK(j.take_task(0) == 0);
  CHECK(j.take_task(0) == 2);
  CHECK(j.ready() == 0);
}

TEST_CASE_FIXTURE(sparrow_fixture, "a group is released by the last task that it waits for") {
  auto& j = submit(staged_job(1, 2, 3));
  CHECK(j.blocked() == 3);
  CHECK(j.group_of(1) == 0);
  CHECK(j.group_of(2) == 1);
  CHECK(j.close(0, 1s).empty());
  CHECK(j.close(1, 2s) == std::vector<std::uint32_t>{1});
  CHECK(j.groups[1].released == 2s);
  CHECK(j.blocked() == 0);
}

TEST_CASE_FIXTURE(sparrow_fixture, "a reservation is used once, on its machine and for its group") {
  auto& j = submit(staged_job(1, 1, 1));
  for (const machine_id m : {4, 5, 4})
    j.reservations.push_back({m, 0});
  j.groups[0].reserved = 3;
  CHECK_FALSE(j.use_reservation(6, 0));
  CHECK_FALSE(j.use_reservation(5, 1));
  CHECK(j.use_reservation(5, 0));
  CHECK_FALSE(j.use_reservation(5, 0));
  CHECK(j.groups[0].reserved == 2);
  j.forget_reservations(4);
  CHECK(j.groups[0].reserved == 0);
  CHECK(j.reservations.empty());
}
