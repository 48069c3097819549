#include "queue_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE_FIXTURE(queue_fixture, "a machine is drained when all that it was sent has started") {
  submit(slot_job(1, 3));
  run({1, 0}, 2);
  send({1, 1}, 2);
  send({1, 2}, 2);
  parts.told.take();
  parts.notices.begin_leaving(2);
  parts.drains.begin(2);
  CHECK_FALSE(parts.drains.is_over(2));
  parts.drains.started({1, 1}, 2);
  CHECK(heard<capacity_notice>().empty());
  parts.drains.take_back({1, 2}, 2);
  parts.drains.settle(2);
  CHECK(parts.drains.is_over(2));
  CHECK(heard<capacity_notice>().size() == 1);
  parts.drains.settle(2);
  CHECK(heard<capacity_notice>().empty());
}

TEST_CASE_FIXTURE(queue_fixture, "a machine that was sent nothing is drained at once") {
  CHECK_FALSE(parts.drains.is_over(2)); // it does not leave
  parts.notices.begin_leaving(2);
  parts.drains.begin(2);
  CHECK(parts.drains.is_over(2));
  CHECK(heard<capacity_notice>().size() == 1);
}
