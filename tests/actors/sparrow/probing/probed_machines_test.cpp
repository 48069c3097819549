#include "actors/sparrow/parts_fixture.hpp"
#include "support/attribute_cluster.hpp"

#include <algorithm>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// The machines drawn for as many probes as there are machines, rising.
std::vector<machine_id> all_drawn(sparrow_fixture& from, open_job& j) {
  from.parts.probed.begin();
  auto drawn = from.parts.probed.draw(j, 0, from.machines.machines(), false);
  std::ranges::sort(drawn);
  return drawn;
}

} // namespace

TEST_CASE_FIXTURE(sparrow_fixture, "machines that are away or to be drained are not drawn") {
  auto& j = submit(slot_job(1, 1));
  CHECK(parts.probed.remove(0));
  CHECK_FALSE(parts.probed.remove(0));
  CHECK(parts.probed.retire(1));
  CHECK_FALSE(parts.probed.retire(1));
  parts.probed.set_away(2, true);
  CHECK(all_drawn(*this, j) == std::vector<machine_id>{3, 4, 5, 6, 7});
  CHECK_FALSE(parts.probed.may_take(j, 0, 1));
  CHECK(parts.probed.restore(0));
  CHECK_FALSE(parts.probed.restore(0));
  parts.probed.set_away(1, false); // it is to be drained all the same
  parts.probed.set_away(2, false);
  CHECK(all_drawn(*this, j) == std::vector<machine_id>{0, 2, 3, 4, 5, 6, 7});
  CHECK(parts.probed.remove(1)); // it is gone now, whatever it was to do
  CHECK(parts.probed.retire(1));
}

TEST_CASE_FIXTURE(sparrow_fixture, "a machine with too little is not drawn and may take nothing") {
  auto& j = submit(slot_job(1, 1));
  parts.probed.pools().resize(5, {});
  CHECK(all_drawn(*this, j) == std::vector<machine_id>{0, 1, 2, 3, 4, 6, 7});
  CHECK_FALSE(parts.probed.has_room(j, 0, 5));
  CHECK_FALSE(parts.probed.may_take(j, 0, 5));
  CHECK(parts.probed.may_take(j, 0, 4));
}

TEST_CASE_FIXTURE(sparrow_fixture, "machines with reservations and tasks of a job are left out") {
  auto& spread = decide(spread_job(1, 3));
  spread.reservations.push_back({2, 0});
  run(spread, 4);
  parts.probed.begin_without_used(spread);
  CHECK_FALSE(parts.probed.leave_out(2));
  CHECK_FALSE(parts.probed.leave_out(4));
  CHECK(parts.probed.leave_out(0));
  CHECK_FALSE(parts.probed.is_wrong(spread, 0, 4, 1s));
  run(spread, 4);
  CHECK(parts.probed.is_wrong(spread, 0, 4, 1s)); // two of its tasks on one machine
}

TEST_CASE("a task is wrong where its constraints are not met") {
  sparrow_fixture all{{}, disk_catalog({hdd, ssd}, 1, 1)};
  auto& j = all.submit(constrained_job(1, 1, "disk == ssd"));
  CHECK(all_drawn(all, j) == std::vector<machine_id>{1});
  CHECK(all.parts.probed.is_wrong(j, 0, 0, 1s));
  CHECK_FALSE(all.parts.probed.is_wrong(j, 0, 1, 1s));
}
