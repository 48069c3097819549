#include "nodes/policies/policy_book.hpp"
#include "nodes/registry/policy_orders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

policy_order order_of(instant at, std::vector<scheduler_id> schedulers,
                      const std::string& policy = "random-fit") {
  return {at, std::move(schedulers), {policy, {}}};
}

std::string text_of(const std::vector<policy_order>& orders) {
  std::string text;
  for (const auto& order : orders) {
    text += (text.empty() ? "" : "; ") + std::to_string(order.at / 1s) + " " + order.to.policy;
    for (const auto s : order.schedulers)
      text += " " + std::to_string(s);
  }
  return text;
}

std::string merged(std::vector<policy_order> orders, const std::vector<policy_order>& more) {
  merge_orders(orders, more);
  return text_of(orders);
}

constexpr member_entry first_life{role::scheduler, 3, 10};
constexpr member_entry second_life{role::scheduler, 3, 11};

} // namespace

TEST_CASE("the latest order for each scheduler counts, in any order of arrival") {
  const std::vector<policy_order> some{order_of(1s, {0, 1, 2}), order_of(4s, {1}, "best-fit")};
  const std::vector<policy_order> others{order_of(2s, {2, 3}, "worst-fit"), order_of(3s, {1, 3})};
  const auto all = "1 random-fit 0; 2 worst-fit 2; 3 random-fit 3; 4 best-fit 1";
  CHECK(merged(some, others) == all);
  CHECK(merged(others, some) == all);
  CHECK(merged({}, {order_of(1s, {0, 1}), order_of(2s, {0, 1}, "best-fit")}) == "2 best-fit 0 1");
}

TEST_CASE("orders that are known change nothing") {
  auto orders = std::vector{order_of(1s, {0, 1, 2}), order_of(2s, {1})};
  CHECK(merge_orders(orders, {}));
  CHECK(text_of(orders) == "1 random-fit 0 2; 2 random-fit 1");
  CHECK_FALSE(merge_orders(orders, std::vector{order_of(1s, {0, 1, 2})}));
  CHECK_FALSE(merge_orders(orders, orders));
  CHECK(latest_order(orders) == 2s);
  CHECK(order_for(orders, 2)->at == 1s);
  CHECK(order_for(orders, 1)->at == 2s);
  CHECK(order_for(orders, 7) == nullptr);
}

TEST_CASE("a scheduler is told of an order once, and its next incarnation again") {
  policy_book book;
  CHECK_FALSE(book.due(first_life));
  book.learn(std::vector{order_of(5s, {2, 3})});
  REQUIRE(book.due(first_life));
  CHECK_FALSE(book.due(first_life));
  CHECK(book.states(std::vector{first_life}).empty());
  book.done(first_life, 5s);
  REQUIRE(book.states(std::vector{first_life}).size() == 1);
  CHECK(book.states(std::vector{first_life})[0].at == 5s);
  CHECK(book.states(std::vector{second_life}).empty());
  REQUIRE(book.due(second_life));
  book.done(second_life, 5s, "it knows none of that name");
  CHECK(book.states(std::vector{second_life})[0].why_not == "it knows none of that name");
}

TEST_CASE("an order that was lost is told again, and a late answer to an earlier one is none") {
  policy_book book;
  book.learn(std::vector{order_of(5s, {3})});
  REQUIRE(book.due(first_life));
  book.lost(first_life, 5s);
  REQUIRE(book.due(first_life));
  book.learn(std::vector{order_of(6s, {3})});
  REQUIRE(book.due(first_life));
  book.done(first_life, 5s);
  CHECK(book.states(std::vector{first_life}).empty());
  book.lost(first_life, 5s);
  CHECK_FALSE(book.due(first_life));
  book.done(first_life, 6s);
  CHECK(book.states(std::vector{first_life}).size() == 1);
}
