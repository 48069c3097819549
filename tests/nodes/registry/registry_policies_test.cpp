#include "nodes/registry/registry_nodes.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a new master learns the policies from the nodes of its cluster, and from no other") {
  const auto knows = [](const std::string& name, std::int64_t origin, instant at) {
    auto who = node_of(name, 10);
    who.origin = origin;
    who.policies = {{at, {0, 1}, {"best-fit", {}}}};
    return who;
  };
  node_registry book{100};
  taken(book.join(master_of("m")));
  CHECK(taken(book.join(knows("a", 1000, instant{5}))).who.policies.empty());
  CHECK(book.list().origin == 1000);
  REQUIRE(book.list().policies.size() == 1);
  taken(book.join(knows("b", 1000, instant{7})));
  taken(book.join(knows("c", 1000, instant{6})));
  taken(book.join(knows("d", 2000, instant{9})));
  REQUIRE(book.list().policies.size() == 1);
  CHECK(book.list().policies[0].at == instant{7});
  const auto version = book.list().version;
  CHECK_FALSE(book.order_policies({}));
  CHECK(book.list().version == version);
  CHECK(book.order_policies(std::vector{policy_order{instant{8}, {1}, {"random-fit", {}}}}));
  CHECK(book.list().version > version);
  CHECK(book.list().policies.size() == 2);
}

namespace {

policy_order order_of(std::int64_t at, std::vector<scheduler_id> schedulers,
                      const std::string& policy) {
  return {instant{at}, std::move(schedulers), {policy, {}}};
}

} // namespace

TEST_CASE("orders that the store has kept count from the begin of the cluster on") {
  node_registry book{0};
  book.remember_orders({order_of(700, {0}, "worst-fit"), order_of(400, {1, 2}, "best-fit"),
                        order_of(1'005, {3}, "random-fit")});
  taken(book.join(master_of("m")));
  CHECK(book.list().policies.empty());
  book.begin(1'000);
  const auto& orders = book.list().policies;
  REQUIRE(orders.size() == 3);
  CHECK(orders[0].to.policy == "best-fit"); // of an earlier cluster, but still the first
  CHECK(orders[0].at == instant{1});
  CHECK(orders[1].to.policy == "worst-fit");
  CHECK(orders[1].at == instant{2});
  CHECK(orders[2].at == instant{5});
}

TEST_CASE("orders that the store and the nodes have are the same ones, and the latest counts") {
  node_registry book{100};
  book.remember_orders({order_of(1'005, {0, 1}, "best-fit"), order_of(1'009, {2}, "worst-fit")});
  taken(book.join(master_of("m")));
  auto who = node_of("a", 10);
  who.origin = 1'000;
  who.policies = {order_of(5, {0, 1}, "best-fit"), order_of(7, {2}, "random-fit")};
  taken(book.join(who));
  const auto& orders = book.list().policies;
  REQUIRE(orders.size() == 2);
  CHECK(orders[0].at == instant{5});
  CHECK(orders[0].schedulers == std::vector<scheduler_id>{0, 1});
  CHECK(orders[1].to.policy == "worst-fit");
  CHECK(orders[1].at == instant{9});
}
