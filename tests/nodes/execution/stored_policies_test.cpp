#include "nodes/execution/stored_policies.hpp"

#include <doctest/doctest.h>

using namespace troupe;

TEST_CASE("orders for policies come back from the rows of the store") {
  const std::int64_t origin = 1'700'000'000'000'000'000;
  const std::vector<policy_order> orders{
    {instant{3}, {1}, {"best-fit", {}}},
    {instant{5}, {0, 2}, {"adaptive", {"ema_weight=0.1", "tau=\"odd\"\n"}}},
    {instant{5}, {3}, {"adaptive", {"ema_weight=0.2"}}}};
  auto rows = rows_of(orders, origin);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0] == ordered_policy_row{1, origin + 3, "best-fit", "[]"});
  const auto back = orders_of(rows);
  REQUIRE(back.size() == 3);
  for (std::size_t i = 0; i < back.size(); ++i) {
    CHECK(back[i].at == orders[i].at + duration{origin});
    CHECK(back[i].schedulers == orders[i].schedulers);
    CHECK(back[i].to.policy == orders[i].to.policy);
    CHECK(back[i].to.settings == orders[i].to.settings);
  }
  for (const char* odd : {"", "{}", "[1]", "[\"a\""}) {
    rows[0].settings = odd;
    CHECK(orders_of(rows).size() == 2);
  }
}
