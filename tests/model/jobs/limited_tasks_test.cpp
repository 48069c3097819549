#include "model/jobs/limited_tasks.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("tasks beyond a job's limit enter the queue in turn, those held back first") {
  limited_tasks later{2, 5};
  CHECK(later.size() == 3);
  CHECK_FALSE(later.holds(1));
  CHECK(later.holds(2));
  CHECK(later.take() == 2U);
  later.hold(0);
  CHECK(later.holds(0));
  CHECK(later.size() == 3);
  CHECK(later.take() == 0U);
  later.hold(1);
  CHECK(later.take_all() == std::vector<std::uint32_t>{1, 3, 4});
  CHECK(later.size() == 0);
  CHECK_FALSE(later.take());
}

TEST_CASE("a gang has no limit, and a small job needs none") {
  auto j = slot_job(1, 3);
  CHECK_FALSE(limited_tasks::needed_by(j));
  j.at_once = 2;
  CHECK(limited_tasks::needed_by(j));
  j.gang = true;
  CHECK_FALSE(limited_tasks::needed_by(j));
  j.gang = false;
  j.at_once = 3;
  CHECK_FALSE(limited_tasks::needed_by(j));
}
