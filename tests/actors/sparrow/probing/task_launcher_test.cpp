#include "actors/sparrow/parts_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(sparrow_fixture, "a task that is launched is sent in the scheduler's name") {
  auto& j = decide(slot_job(1, 2, 0s, 5s));
  parts.launcher.send(j, 0, j.take_task(0), 6, out);
  REQUIRE(out.entries.size() == 1);
  const auto& [to, entry] = out.entries[0];
  CHECK(to == 6);
  CHECK(entry.kind == entry_kind::task);
  CHECK(entry.placed_on == 6);
  CHECK(entry.order.task == task_id{1, 0});
  CHECK(entry.order.launcher == 3);
  CHECK(entry.order.by_scheduler);
  CHECK(entry.order.runtime == 5s);
  CHECK(entry.order.estimate == 0s); // no machine has windows
  CHECK(j.tasks[0].is_on(6));
  CHECK(counts().in_commit == 1);
}
