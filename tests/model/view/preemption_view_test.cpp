#include "model/view/preemption_view.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Four machines of two slots in two partitions: 0 and 1, 2 and 3.
struct preemption_view_fixture {
  catalog machines = even_catalog(4, 2, 2);
  view seen{machines, instant{0}};
  preemption_view preemption{machines};
  random_stream random{5};

  /// Lets only `m` and those behind it have room.
  void fill_before(machine_id m) {
    for (machine_id i = 0; i < m; ++i)
      seen.correct(i, resources{}, 0);
  }

  void run(machine_id m, std::int32_t priority, std::int32_t slots) {
    seen.take(m, resources::of_slots(slots));
    preemption.add(m, priority, resources::of_slots(slots));
  }

  /// All that are picked when asked often.
  std::set<machine_id> picks(std::int32_t priority, std::int32_t slots,
                             const preemption_view::machine_test& eligible = {}) {
    std::set<machine_id> all;
    for (int i = 0; i < 200; ++i)
      if (const auto m =
            preemption.pick(seen, priority, resources::of_slots(slots), random, eligible))
        all.insert(*m);
    return all;
  }
};

using machine_ids = std::set<machine_id>;

} // namespace

TEST_CASE_FIXTURE(preemption_view_fixture,
                  "bands tell what is held, lowest priority first, and no empty ones") {
  held_table held{machines, 0};
  held.add(1, 7, resources::of_slots(1));
  held.add(0, -3, resources::of_slots(2));
  held.add(1, -3, resources::of_slots(1));
  held.add(0, 2, resources::of_slots(1));
  held.remove(0, 2, resources::of_slots(1));
  const auto bands = held.bands();
  REQUIRE(bands.size() == 2);
  CHECK(bands[0].priority == -3);
  CHECK(bands[0].cells == std::vector<std::int32_t>{2, 1});
  CHECK(bands[1].priority == 7);
  CHECK(bands[1].cells == std::vector<std::int32_t>{0, 1});
  CHECK(held.any_below(-2));
  CHECK_FALSE(held.any_below(-3));
  CHECK(held.below(1, 7) == resources::of_slots(1));
  CHECK(held.below(1, 8) == resources::of_slots(2));
  held.clear(1);
  CHECK(held.below(1, 8) == resources{});
  held_table copy{machines, 0};
  copy.assign(bands);
  CHECK(copy.below(1, 8) == resources::of_slots(2));
  CHECK_THROWS_AS(copy.assign({{0, {1, 2, 3}}}), std::invalid_argument);
}

TEST_CASE_FIXTURE(preemption_view_fixture,
                  "nothing is to be had where nothing of a lower priority runs") {
  fill_before(3);
  run(3, 5, 2);
  CHECK(picks(5, 1).empty());
  CHECK(picks(6, 1) == machine_ids{3});
  CHECK(picks(6, 3).empty());
}

TEST_CASE_FIXTURE(preemption_view_fixture,
                  "machines where the lowest priorities suffice come first") {
  run(0, 1, 2);
  run(1, 3, 2);
  run(2, 1, 1);
  run(2, 3, 1);
  run(3, 1, 2);
  CHECK(picks(4, 1) == machine_ids{0, 2, 3});
  CHECK(picks(4, 2) == machine_ids{0, 3});
  preemption.clear(0);
  preemption.clear(3);
  CHECK(picks(4, 2) == machine_ids{1, 2});
  CHECK(picks(3, 2).empty());
}

TEST_CASE_FIXTURE(preemption_view_fixture, "what has been promised once cannot be had again") {
  fill_before(3);
  run(3, 1, 2);
  run(3, 9, 1); // takes the place of one
  CHECK(picks(8, 1) == machine_ids{3});
  CHECK(picks(8, 2).empty());
  run(3, 9, 1);
  CHECK(picks(8, 1).empty());
  CHECK(picks(10, 2) == machine_ids{3});
}

TEST_CASE_FIXTURE(preemption_view_fixture,
                  "machines that are not eligible or hidden are left out") {
  for (machine_id m = 0; m < 4; ++m)
    run(m, 1, 2);
  CHECK(picks(2, 1, [](machine_id m) { return m != 2; }) == machine_ids{0, 1, 3});
  seen.hide(0, true);
  CHECK(picks(2, 1) == machine_ids{2, 3});
  CHECK(picks(2, 1, [](machine_id m) { return m != 2; }) == machine_ids{3});
}

TEST_CASE_FIXTURE(preemption_view_fixture,
                  "a snapshot replaces what was believed of its partition only") {
  fill_before(4);
  preemption.add(0, 1, resources::of_slots(2));
  preemption.add(2, 1, resources::of_slots(2));
  preemption.assign(0, {{4, {0, 2}}});
  CHECK(picks(4, 1) == machine_ids{2});
  CHECK(picks(5, 2) == machine_ids{2});
  preemption.remove(2, 1, resources::of_slots(2));
  CHECK(picks(5, 2) == machine_ids{1});
}

TEST_CASE_FIXTURE(preemption_view_fixture, "priorities that no task has any more cost nothing") {
  held_table held{machines, 0};
  held.add(0, 5, one_slot);
  for (std::int32_t p = -500; p < 500; ++p) {
    held.add(1, p, one_slot);
    CHECK(held.below(1, p + 1)[resource::slots] == 1);
    held.remove(1, p, one_slot);
    CHECK(held.size_in_bands() <= 3);
  }
  REQUIRE(held.bands().size() == 1);
  CHECK(held.bands()[0].priority == 5);
}
