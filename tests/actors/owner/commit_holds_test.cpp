#include "actors/owner/commit_holds.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Machine 0 with four slots; two schedulers.
struct commit_holds_fixture {
  catalog machines = even_catalog(1, 1, 4);
  owned_partitions parts{
    machines, std::array<partition_id, 1>{0}, conflict_detection::fine, {}, false};
  commit_holds holds{2};

  /// Charges a task of job 1 to the machine, and holds it.
  void hold(scheduler_id scheduler, commit_id commit, std::uint32_t index) {
    const auto wanted = slot_placement(1, index, 0);
    REQUIRE_FALSE(parts.find(0)->commit(wanted, scheduler));
    holds.add(scheduler, commit, {{wanted, parts.find(0)->latest_grant(), 0}});
  }

  std::int32_t free() { return parts.find(0)->free(0)[resource::slots]; }
};

} // namespace

TEST_CASE_FIXTURE(commit_holds_fixture, "a hold is taken once, by its scheduler and commit") {
  hold(0, 1, 0);
  CHECK(holds.any());
  CHECK_FALSE(holds.take(1, 1));
  CHECK_FALSE(holds.take(0, 2));
  const auto held = holds.take(0, 1);
  REQUIRE(held);
  CHECK(held->at(0).task == task_id{1, 0});
  CHECK_FALSE(holds.any());
  CHECK_FALSE(holds.take(0, 1));
  CHECK(free() == 3); // still charged
}

TEST_CASE_FIXTURE(commit_holds_fixture, "released holds are free again") {
  hold(0, 1, 0);
  hold(0, 2, 1);
  hold(1, 1, 2);
  holds.release(0, 1, parts);
  holds.release(0, 9, parts);
  CHECK(free() == 2);
  holds.release_all(1, parts);
  CHECK(free() == 3);
  CHECK(holds.any());
  holds.release_all(0, parts);
  CHECK(free() == 4);
  CHECK_FALSE(holds.any());
}

TEST_CASE_FIXTURE(commit_holds_fixture, "holds of silent schedulers are released") {
  hold(0, 1, 0);
  hold(0, 2, 1);
  hold(1, 1, 2);
  holds.heard(0, 1s);
  holds.heard(1, 5s);
  CHECK(holds.release_silent(1s, parts) == 0);
  CHECK(holds.release_silent(5s, parts) == 2);
  CHECK(free() == 3);
  CHECK(holds.take(1, 1));
}

TEST_CASE_FIXTURE(commit_holds_fixture,
                  "a held task that loses its machine has no grant any more") {
  hold(0, 1, 0);
  const auto lost = parts.find(0)->remove(0);
  REQUIRE(lost.size() == 1);
  CHECK_FALSE(holds.lose({{1, 7}, 0, one_slot}, 0)); // not held
  CHECK_FALSE(holds.lose({{1, 0}, no_scheduler, one_slot}, 0));
  CHECK(holds.lose(lost[0], 0));
  CHECK(holds.take(0, 1)->at(0).grant == no_grant);
}
