#include "model/jobs/group_dependencies.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

using tasks = std::vector<std::uint32_t>;

/// Group 2 (tasks 3 and 4) waits for group 0 (tasks 0 and 1) and group 1 (task 2), group 3 (task 5)
/// for group 2.
job diamond() {
  job j{7, 2s, duration{0}, {}};
  for (std::uint32_t count : {2, 1, 2, 1})
    j.groups.push_back({count, one_slot, {1s}});
  j.groups[2].after = {0, 1};
  j.groups[3].after = {2};
  return j;
}

} // namespace

TEST_CASE("groups are due when all tasks that they wait for are over") {
  const auto of = diamond();
  group_dependencies groups{of};
  CHECK(groups.due() == tasks{0, 1});
  for (const auto g : groups.due()) {
    const auto released = groups.release(g, 2s);
    CHECK(released.count == of.groups[g].count);
    CHECK(released.some.empty());
  }
  CHECK(groups.due().empty());
  CHECK_FALSE(groups.blocks(2));
  CHECK(groups.blocks(3));
  CHECK(groups.close(of, 0).empty());
  CHECK(groups.close(of, 2).empty());
  CHECK(groups.close(of, 1) == tasks{2});
  const auto released = groups.release(2, 9s);
  CHECK(released.first == 3);
  CHECK(released.count == 2);
  CHECK(groups.released_at(2) == 9s);
  CHECK(groups.released_at(3) == 2s);
}

TEST_CASE("of a resumed job, only the tasks that are held enter the queue with their group") {
  const auto of = diamond();
  group_dependencies groups{of, {0, 2}};
  CHECK(groups.due() == tasks{0, 1});
  for (const auto g : groups.due())
    CHECK(groups.release(g, 2s).count == 0);
  CHECK_FALSE(groups.hold(1));
  CHECK(groups.hold(4)); // 3 runs
  CHECK(groups.close(of, 1) == tasks{2});
  const auto released = groups.release(2, 5s);
  CHECK(released.count == 0);
  CHECK(released.some == tasks{4});
  CHECK_FALSE(groups.hold(4));
}

TEST_CASE("what blocked groups hold can be taken out") {
  const auto of = diamond();
  group_dependencies groups{of};
  for (const auto g : groups.due())
    groups.release(g, 2s);
  CHECK(groups.take_blocked() == tasks{3, 4, 5});
  CHECK(groups.take_blocked().empty());
  CHECK_FALSE(groups.blocks(5));
}
