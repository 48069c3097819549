#include "model/protocol/sync_plan.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

bool sends(const sync_plan& plan, std::uint64_t round, partition_id p, scheduler_id to) {
  bool sent = false;
  plan.receivers(round, p, 20, [&](scheduler_id s) { sent = sent || s == to; });
  return sent;
}

std::vector<partition_id> sent(const sync_plan& plan, std::uint64_t round, scheduler_id scheduler,
                               std::uint32_t partitions) {
  std::vector<partition_id> out;
  for (partition_id p = 0; p < partitions; ++p)
    if (sends(plan, round, p, scheduler))
      out.push_back(p);
  return out;
}

/// Checks that over any gap every scheduler is sent every partition exactly once.
void check_whole_view_per_gap(const sync_plan& plan, std::uint32_t partitions,
                              std::uint32_t schedulers) {
  for (std::uint64_t first : {1ULL, 2ULL, 5ULL, 1'000'000'007ULL})
    for (scheduler_id s = 0; s < schedulers; ++s)
      for (partition_id p = 0; p < partitions; ++p) {
        int times = 0;
        for (auto n = first; n < first + plan.rounds(); ++n)
          times += sends(plan, n, p, s);
        REQUIRE(times == 1);
      }
}

} // namespace

TEST_CASE("every scheduler is sent every partition once per gap") {
  check_whole_view_per_gap(sync_plan::partitioned(1s, 20), 100, 20);
  check_whole_view_per_gap(sync_plan::partitioned(1s, 7), 100, 7); // 7 does not divide 100
  check_whole_view_per_gap(sync_plan::partitioned(1s, 20), 12, 20);
  check_whole_view_per_gap(sync_plan::partitioned(1s, 4), 100, 10); // fewer groups than schedulers
  check_whole_view_per_gap(sync_plan::partitioned(1s, 1), 100, 20);
  check_whole_view_per_gap(sync_plan::same(1s, 20), 100, 20);
  check_whole_view_per_gap(sync_plan::same(1s, 7), 100, 5);
}

TEST_CASE("under partitioned sync scheduler i is sent p where (p + round) mod N is i") {
  const auto plan = sync_plan::partitioned(1s, 4);
  CHECK(sent(plan, 1, 0, 8) == std::vector<partition_id>{3, 7});
  CHECK(sent(plan, 1, 1, 8) == std::vector<partition_id>{0, 4});
  CHECK(sent(plan, 2, 1, 8) == std::vector<partition_id>{3, 7});
  CHECK(sent(plan, 5, 3, 8) == std::vector<partition_id>{2, 6});
  CHECK(sent(plan, 4, 0, 6) == std::vector<partition_id>{0, 4});
  CHECK(sent(plan, 2, 0, 6) == std::vector<partition_id>{2});
}

TEST_CASE("under partitioned sync a partition goes to one scheduler in each round") {
  const auto plan = sync_plan::partitioned(1s, 6);
  for (std::uint64_t n = 1; n <= 12; ++n)
    for (partition_id p = 0; p < 20; ++p) {
      int receivers = 0;
      for (scheduler_id s = 0; s < 6; ++s)
        receivers += sends(plan, n, p, s);
      REQUIRE(receivers == 1);
    }
}

TEST_CASE("with one group everything goes to everyone in each round") {
  const auto plan = sync_plan::partitioned(500ms, 1);
  CHECK(plan.rounds() == 1);
  CHECK(sent(plan, 1, 17, 5).size() == 5);
  CHECK(sent(plan, 2, 3, 5).size() == 5);
  CHECK(plan.due(3) == 1500ms);
}

TEST_CASE("the plan for comparison sends the same to all") {
  const auto plan = sync_plan::same(1s, 4);
  CHECK(sent(plan, 1, 0, 8) == std::vector<partition_id>{3, 7});
  for (std::uint64_t n = 1; n <= 4; ++n)
    for (scheduler_id s = 1; s < 4; ++s)
      CHECK(sent(plan, n, s, 8) == sent(plan, n, 0, 8));
}

TEST_CASE("rounds are due at n * gap / rounds, without drift") {
  const auto plan = sync_plan::partitioned(1s, 7);
  CHECK(plan.due(1) == 142'857'142ns);
  CHECK(plan.due(6) == 857'142'857ns);
  CHECK(plan.due(7) == 1s);
  CHECK(plan.due(7'000'000'000) == 1'000'000'000s);
  CHECK(sync_plan::partitioned(10ns, 3).due(2) == 6ns);
  for (std::uint64_t n = 1; n < 1000; ++n) {
    const auto length = plan.due(n) - plan.due(n - 1);
    REQUIRE(length >= 142'857'142ns);
    REQUIRE(length <= 142'857'143ns);
  }
}

TEST_CASE("a plan without rounds says so") {
  CHECK_FALSE(sync_plan::none().any());
  CHECK(sync_plan::same(1s, 2).any());
  CHECK(sync_plan::same(1s, 2).gap() == 1s);
}

TEST_CASE("impossible plans are refused") {
  CHECK_THROWS_AS(sync_plan::partitioned(0s, 4), std::invalid_argument);
  CHECK_THROWS_AS(sync_plan::partitioned(-1s, 4), std::invalid_argument);
  CHECK_THROWS_AS(sync_plan::same(1s, 0), std::invalid_argument);
}
