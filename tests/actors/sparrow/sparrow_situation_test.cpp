#include "actors/sparrow/parts_fixture.hpp"
#include "actors/sparrow/sparrow_situation.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(sparrow_fixture, "each task of a Sparrow scheduler says why it waits") {
  auto& j = submit(staged_job(1, 2, 1));
  CHECK(why_waits(parts, {1, 0}) == wait_reason::behind_others);
  CHECK(situation_of(parts, {1, 0}).queue.ahead == 1);
  CHECK(why_waits(parts, {1, 2}) == wait_reason::waits_for_group);
  parts.search.place(j, out);
  CHECK(why_waits(parts, {1, 0}) == wait_reason::probing);
  CHECK(situation_of(parts, {1, 0}).machines.size() == 4);
  parts.launcher.launch(j, 0, j.take_task(0), 5);
  CHECK(why_waits(parts, {1, 0}) == wait_reason::reserved);
  CHECK(situation_of(parts, {1, 0}).where == task_situation::place::in_commit);
  parts.runs.start({{1, 0}, 5, 1s});
  CHECK(why_waits(parts, {1, 0}) == wait_reason::none);
  const auto in = situation_of(parts, {1, 0});
  CHECK(in.where == task_situation::place::running);
  CHECK(in.machine == 5);
  CHECK(situation_of(parts, {1, 3}).where == task_situation::place::unknown);
  CHECK(situation_of(parts, {2, 0}).where == task_situation::place::unknown);
}
