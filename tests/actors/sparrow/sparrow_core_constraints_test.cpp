#include "actors/sparrow_cluster.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Eight machines, the first four with an ssd.
catalog half_ssd() {
  std::vector<machine_info> machines;
  for (std::uint32_t m = 0; m < 8; ++m)
    machines.push_back({resources::of_slots(1), 1, m / 4});
  return {std::move(machines), {{"a", {{"disk", "ssd"}}}, {"b", {{"disk", "hdd"}}}}, 1, one_slot};
}

} // namespace

TEST_CASE("a constrained group is reserved for on its machines, and shares the job's others") {
  cluster_of_one c{{}, half_ssd()};
  auto j = slot_job(1, 2);
  j.groups.push_back({2, one_slot, {1s}, {parse_constraint("disk == ssd")}});
  c.submit(j);
  for (const auto& [m, entry] : c.out.entries)
    if (entry.group == 1)
      CHECK(c.machines.kind_of(m).attributes.at("disk") == "ssd");
  // Reservations for the constrained group are used for it first, and then for the others.
  CHECK(c.ask(1, 0, 1).order.task == task_id{1, 2});
  CHECK(c.ask(1, 1, 1).order.task == task_id{1, 3});
  CHECK(c.ask(1, 2, 1).order.task == task_id{1, 0});
  CHECK(c.ask(1, 7, 0).order.task == task_id{1, 1});
}

TEST_CASE("a machine that does not suit a task is not given it, and another one is asked") {
  cluster_of_one c{{}, half_ssd()};
  auto j = slot_job(1, 1);
  j.groups[0].constraints = {parse_constraint("disk == ssd")};
  c.submit(j);
  CHECK(c.reserved().size() == 2);
  // A machine of the other kind has stolen one reservation after the other.
  for (int i = 0; i < 2; ++i)
    CHECK(c.core.hand_out({1, 0, 7, c.reserved()[static_cast<std::size_t>(i)], 0}, c.out).none);
  REQUIRE(c.reserved().size() == 3);
  CHECK_FALSE(c.ask(1, c.reserved().back()).none);
}

TEST_CASE("tasks that are to keep apart never share a machine") {
  sparrow_limits limits;
  limits.ratio = 3;
  cluster_of_one c{limits, even_catalog(2, 1, 4)};
  auto j = slot_job(1, 3);
  j.spread = true;
  c.submit(j);
  CHECK(c.reserved().size() == 2);
  const auto a = c.ask(1, 0);
  const auto b = c.ask(1, 1);
  CHECK_FALSE(a.none);
  CHECK_FALSE(b.none);
  CHECK(c.ask(1, 0).none);
  c.out.clear();
  c.start(a, 0, 1s);
  CHECK(c.reserved().empty());
  c.end(a.order.task, 0, 2s);
  CHECK(c.reserved() == std::vector<machine_id>{0});
  CHECK_FALSE(c.ask(1, 0).none);
  CHECK(c.sample().constraint_violations == 0);
}
