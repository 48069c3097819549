#include "actors/plugin/queues/sent_tasks.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace troupe;

TEST_CASE("tasks are on the machines that they were sent to") {
  sent_tasks sent;
  sent.add({2, 0}, 5);
  sent.add({1, 3}, 5);
  sent.add({1, 1}, 4);
  CHECK(sent.has({2, 0}, 5));
  CHECK_FALSE(sent.has({2, 0}, 4));
  CHECK(sent.on(5) == std::set<task_id>{{1, 3}, {2, 0}});
  std::vector<task_id> all;
  sent.visit([&](const task_id& task, machine_id) { all.push_back(task); });
  CHECK(all == std::vector<task_id>{{1, 1}, {1, 3}, {2, 0}});
  sent.remove({1, 1}, 4);
  CHECK(sent.on(4).empty());
}
