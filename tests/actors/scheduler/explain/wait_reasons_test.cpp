#include "actors/scheduler/explain/open_reasons.hpp"
#include "actors/scheduler/explain/task_situation.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Checks what each way to ask says about a task that waits for its tenant's maximum.
void check_at_maximum(scheduler_fixture& all, const task_id& task, std::uint32_t tasks) {
  CAPTURE(to_string(task));
  const auto in = situation_of(all.parts, task, 1s);
  CHECK(in.where == task_situation::place::waits);
  CHECK(in.why == wait_reason::tenant_at_maximum);
  CHECK(in.tasks == tasks);
  CHECK(why_waits(all.parts, task).why == wait_reason::tenant_at_maximum);
  CHECK(open_reasons{all.parts}.of(task) == wait_reason::tenant_at_maximum);
}

/// Of eight slots, tenant 0 may have three.
const std::vector<tenant_quota> three_slots{{.max = 0.375}, {}};

} // namespace

TEST_CASE("under a discipline, tasks at their tenant's maximum are said to wait for it") {
  for (const auto how : {start_discipline::fcfs, start_discipline::easy}) {
    auto limits = small_limits();
    limits.discipline = how;
    scheduler_fixture all{limits, three_slots};
    all.submit(1, 5);
    all.submit(2, 2, true);
    CHECK(all.place().size() == 2); // three tasks; the others are held back
    CHECK(all.counts().in_commit == 3);
    all.submit(3, 1); // not taken in
    CHECK_FALSE(all.parts.decisions.decide(1s, {}));
    check_at_maximum(all, {1, 3}, 1);
    check_at_maximum(all, {1, 4}, 1);
    check_at_maximum(all, {2, 0}, 2);
    check_at_maximum(all, {2, 1}, 2);
    check_at_maximum(all, {3, 0}, 1);
  }
}

TEST_CASE("under a discipline, those in the queue are also told of their tenant's maximum") {
  auto limits = small_limits();
  limits.discipline = start_discipline::fcfs;
  scheduler_fixture all{limits, three_slots};
  all.submit(1, 2);
  all.place();
  job wide = slot_job(2, 8);
  wide.tenant = 1;
  wide.gang = true;
  all.parts.intake.submit(wide);
  all.submit(3, 2, true);
  all.submit(4, 1);
  CHECK_FALSE(all.parts.decisions.decide(1s, {}));
  CHECK(situation_of(all.parts, {2, 0}, 1s).why == wait_reason::gang_incomplete);
  check_at_maximum(all, {3, 1}, 2);
  CHECK(situation_of(all.parts, {3, 1}, 1s).queue.ahead == 1);
  CHECK(situation_of(all.parts, {4, 0}, 1s).why == wait_reason::held_up);
  CHECK(open_reasons{all.parts}.of({4, 0}) == wait_reason::held_up);
}

TEST_CASE("a gang that its tenant's maximum does not admit is not told of a lack of room") {
  task_watch watch;
  watch.job = 2;
  watch.now = [] { return instant{1s}; };
  auto limits = small_limits();
  limits.records = record_level::tasks;
  limits.watch = &watch;
  scheduler_fixture all{limits, three_slots};
  all.submit(1, 2);
  all.place();
  all.submit(2, 2, true);
  CHECK_FALSE(all.parts.decisions.decide(1s, {}));
  check_at_maximum(all, {2, 0}, 2);
  check_at_maximum(all, {2, 1}, 2);
  REQUIRE_FALSE(watch.events.empty());
  CHECK(watch.events.back().what == watched::set_aside);
  CHECK(watch.events.back().why == wait_reason::tenant_at_maximum);
}

TEST_CASE("a gang that its tenant's maximum admits is told of the lack of room") {
  scheduler_fixture all{small_limits(), three_slots};
  for (machine_id m : {0u, 1u, 2u})
    all.parts.charged.correct(m, {}, 0);
  all.submit(2, 3, true);
  CHECK_FALSE(all.parts.decisions.decide(1s, {}));
  CHECK(situation_of(all.parts, {2, 1}, 1s).why == wait_reason::gang_incomplete);
  CHECK(open_reasons{all.parts}.of({2, 1}) == wait_reason::gang_incomplete);
}
