#include "model/jobs/job.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <vector>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

job moldable_of(std::uint32_t least, std::uint32_t requested, std::uint32_t most) {
  job j;
  j.gang = true;
  j.groups.push_back({least, {}, {1s}});
  j.mold = {requested, least, most, 60s, 90s, {}, false};
  return j;
}

} // namespace

TEST_CASE("the widths are the requested one, its doubles and halves, and the limits") {
  using widths = std::vector<std::uint32_t>;
  CHECK(moldable_of(4, 4, 4).mold.widths() == widths{4});
  CHECK(moldable_of(1, 8, 64).mold.widths() == widths{1, 2, 4, 8, 16, 32, 64});
  CHECK(moldable_of(3, 12, 30).mold.widths() == widths{3, 6, 12, 24, 30});
  CHECK(moldable_of(1, 5, 5).mold.widths() == widths{1, 2, 5});
}

TEST_CASE("a width is found by a number of tasks that must belong to it") {
  const auto by = moldable_of(3, 12, 30).mold;
  CHECK(by.width_of(1) == 3);
  CHECK(by.width_of(6) == 6);
  CHECK(by.width_of(7) == 12);
  CHECK(by.width_of(31) == 30);
}

TEST_CASE("run time and estimate scale by the ratio of the speedups, and come back exactly") {
  auto j = moldable_of(2, 4, 8);
  CHECK(j.mold.is_open());
  mold(j, 8);
  CHECK(j.task_count() == 8);
  CHECK(j.groups.front().duration_of(7) == 30s);
  CHECK(j.estimate == 45s);
  mold(j, 2);
  CHECK(j.groups.front().duration_of(0) == 120s);
  mold(j, 4);
  CHECK(j.groups.front().duration_of(0) == 60s);
  CHECK(j.estimate == 90s);
}

TEST_CASE("a job without a requested width is not moldable, and one with a settled width no more") {
  CHECK_FALSE(job{}.mold.is_open());
  auto j = moldable_of(2, 4, 8);
  j.mold.settled = true;
  CHECK_FALSE(j.mold.is_open());
}
