#include "model/base/random.hpp"
#include "model/view/freshness_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace troupe;

namespace {

/// Moves partitions that `choose(step, order)` returns, in the order and in a list.
template <class Choose>
void compare_with_list(std::uint32_t size, Choose choose) {
  freshness_order order{size};
  std::vector<partition_id> list(size);
  std::iota(list.begin(), list.end(), partition_id{0});
  for (std::uint32_t step = 0; step < 200; ++step) {
    REQUIRE(std::ranges::equal(order.all(), list));
    const auto p = choose(step, list);
    order.move_to_front(p);
    const auto at = std::ranges::find(list, p);
    std::rotate(list.begin(), at, at + 1);
  }
}

} // namespace

TEST_CASE("the order of refreshes is kept when partitions are refreshed in turn") {
  compare_with_list(7, [](std::uint32_t, const auto& list) { return list.back(); });
}

TEST_CASE("the order of refreshes is kept when partitions are refreshed in any order") {
  random_stream random{3};
  compare_with_list(9, [&](std::uint32_t, const auto& list) {
    return static_cast<partition_id>(random.below(list.size()));
  });
}

TEST_CASE("the only partition is always the first") {
  compare_with_list(1, [](std::uint32_t, const auto&) { return partition_id{0}; });
}
