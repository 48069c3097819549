#include "model/jobs/drf.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace troupe;
using namespace troupe::testing;

namespace {

resource_sum totals(const resources& r) {
  resource_sum t;
  t += r;
  return t;
}

/// Serves users who ask for the same over and over until nobody's next task fits; returns how many
/// tasks each has then.
std::vector<int> fill(const resources& capacity, const std::vector<resources>& asked,
                      std::vector<double> weights) {
  drf shares{totals(capacity), std::move(weights)};
  auto left = capacity;
  std::vector<int> tasks(asked.size());
  for (bool any = true; any;) {
    any = false;
    for (auto user : shares.order())
      if (left.fits(asked[user])) {
        shares.give(user, asked[user]);
        left -= asked[user];
        ++tasks[user];
        any = true;
        break;
      }
  }
  return tasks;
}

const auto capacity = cpu_and_memory(9'000, 18 * 1024);
const auto memory_bound = cpu_and_memory(1'000, 4 * 1024);
const auto cpu_bound = cpu_and_memory(3'000, 1 * 1024);

} // namespace

TEST_CASE("the example of the paper ends with three tasks and two") {
  CHECK(fill(capacity, {memory_bound, cpu_bound}, {1, 1}) == std::vector{3, 2});
  CHECK(fill(capacity, {cpu_bound, memory_bound}, {1, 1}) == std::vector{2, 3});
}

TEST_CASE("a share is of the resource of which it is greatest") {
  drf shares{totals(capacity), {1, 1}};
  CHECK(shares.share(0) == 0);
  shares.give(0, memory_bound);
  shares.give(1, cpu_bound);
  CHECK(shares.share(0) == doctest::Approx(4.0 / 18));
  CHECK(shares.share(1) == doctest::Approx(3.0 / 9));
  shares.take_back(1, totals(cpu_bound));
  CHECK(shares.share(1) == 0);
  CHECK(shares.given(1) == resource_sum{});
}

TEST_CASE("resources that no machine has do not count") {
  drf shares{totals(resources::of_slots(4)), {1}};
  shares.give(0, cpu_and_memory(1, 1));
  CHECK(shares.share(0) == 0);
  shares.give(0, one_slot);
  CHECK(shares.share(0) == 0.25);
}

TEST_CASE("weights make unequal shares") {
  CHECK(fill(resources::of_slots(12), {one_slot, one_slot}, {1, 1}) == std::vector{6, 6});
  CHECK(fill(resources::of_slots(12), {one_slot, one_slot}, {2, 1}) == std::vector{8, 4});
  CHECK(fill(resources::of_slots(12), {one_slot, one_slot, one_slot}, {1, 4, 1}) ==
        std::vector{2, 8, 2});
}

TEST_CASE("among equals, who was served less often goes first") {
  drf shares{totals(resources::of_slots(8)), {1, 1, 1}};
  using list = std::vector<std::uint32_t>;
  CHECK(shares.order() == list{0, 1, 2});
  shares.give(0, one_slot);
  CHECK(shares.order() == list{1, 2, 0});
  shares.take_back(0, totals(one_slot));
  CHECK(shares.order() == list{1, 2, 0});
  shares.give(1, one_slot);
  shares.give(1, one_slot);
  shares.take_back(1, totals(resources::of_slots(2)));
  CHECK(shares.order() == list{2, 0, 1});
}

TEST_CASE("another capacity changes the shares and the order") {
  drf shares{totals(cpu_and_memory(100, 1'000)), {1, 1}};
  shares.give(0, cpu_and_memory(10, 1));
  shares.give(1, cpu_and_memory(1, 5));
  CHECK(shares.order() == std::vector<std::uint32_t>{1, 0});
  shares.set_capacity(totals(cpu_and_memory(100, 10)));
  CHECK(shares.share(0) == 0.1);
  CHECK(shares.share(1) == 0.5);
  CHECK(shares.order() == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("the order holds however amounts come and go") {
  auto random = random_stream::derive(1, "drf", 0);
  const std::vector<double> weights{1, 2, 0.5, 3, 1, 1};
  drf shares{totals(cpu_and_memory(100'000, 100'000)), weights};
  for (int i = 0; i < 5'000; ++i) {
    const auto user = static_cast<std::uint32_t>(random.below(weights.size()));
    const auto amount = cpu_and_memory(static_cast<std::int32_t>(random.below(100)),
                                       static_cast<std::int32_t>(random.below(100)));
    if (random.below(3) > 0)
      shares.give(user, amount);
    else
      shares.take_back(user, totals(amount));
    const auto& order = shares.order();
    for (std::size_t k = 1; k < order.size(); ++k)
      REQUIRE(shares.share(order[k - 1]) / weights[order[k - 1]] <=
              shares.share(order[k]) / weights[order[k]]);
  }
}

TEST_CASE("a weight must be positive") {
  CHECK_THROWS_AS(drf({}, {1, 0}), std::invalid_argument);
}
