#include "work_parts_fixture.hpp"

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a new job is stored with its spec and its latest state") {
  work_fixture w;
  auto& j = w.submit(group_json("a", 2));
  j.row.reason = "later";
  w.parts.changes.note(j);
  CHECK(w.parts.changes.has(1));
  const auto changes = w.parts.changes.take(w.parts.jobs);
  REQUIRE(changes.jobs.size() == 1);
  CHECK(!changes.jobs[0].spec.empty());
  CHECK(changes.jobs[0].reason == "later");
  CHECK(changes.groups.size() == 1);
  CHECK(changes.next_job == 2);
  CHECK(!w.parts.changes.has(1));
  CHECK(w.parts.changes.take(w.parts.jobs).empty());
}

TEST_CASE("changes are stored once, in their last state, and without forgotten jobs") {
  work_fixture w;
  auto& j = w.submit(group_json("a", 1));
  w.parts.changes.take(w.parts.jobs);
  j.groups[0].touch(0);
  w.parts.changes.write(j, j.groups[0], 0, "first");
  w.parts.changes.write(j, j.groups[0], 0, "second");
  w.parts.changes.note(j, j.groups[0]);
  w.parts.jobs.forget(1);
  const auto changes = w.parts.changes.take(w.parts.jobs);
  CHECK(changes.jobs.empty());
  CHECK(changes.groups.empty());
  REQUIRE(changes.tasks.size() == 1);
  CHECK(changes.tasks[0].reason == "second");
}

TEST_CASE("the mark of scheduler's jobs moves by many numbers at once") {
  store_changes changes;
  const live_job_table none{1};
  scheduler_numbers numbers{changes, 5};
  CHECK(numbers.next() == 5);
  CHECK(changes.take(none).next_scheduler_job == 5 + scheduler_numbers::at_once);
  for (job_id i = 1; i < scheduler_numbers::at_once; ++i)
    numbers.next();
  CHECK(changes.take(none).empty());
  CHECK(numbers.next() == 5 + scheduler_numbers::at_once);
  CHECK(changes.take(none).next_scheduler_job == 5 + 2 * scheduler_numbers::at_once);
}

TEST_CASE("numbers of scheduler's jobs never take the bits of others") {
  store_changes changes;
  scheduler_numbers numbers{changes, (job_id{1} << scheduler_job_bits) - 1};
  CHECK_NOTHROW(numbers.next());
  CHECK_THROWS_WITH(numbers.next(), "the numbers for the scheduling layer are used up");
}
