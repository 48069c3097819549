#include "actors/scheduler/queue/waiting_line.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// A line for four slots under EASY, with gangs of some sizes that have waited since 0.
struct line_fixture {
  line_fixture() {
    constexpr resource kinds[] = {resource::slots};
    start_queue queue{start_discipline::easy, {}, kinds};
    resource_sum four;
    for (int i = 0; i < 4; ++i)
      four += one_slot;
    queue.set_capacity(four, {}, 0s);
    line.emplace(std::move(queue));
  }

  void submit(job_id id, std::uint32_t tasks, duration estimate) {
    auto j = slot_job(id, tasks);
    j.gang = true;
    j.estimate = estimate;
    jobs.submit(std::move(j));
    line->add(jobs.take_head(), 0s);
  }

  /// Starts the next gang; returns its job, or nothing.
  std::optional<job_id> start(instant now) {
    const auto task = line->next(now);
    if (!task)
      return std::nullopt;
    for (const auto& member : jobs.members(*task))
      line->begin_run(member, 0, now);
    line->started(now);
    return task->task.job;
  }

  waiting_task waiting(job_id id) { return *jobs.find({id, 0}); }

  job_book jobs;
  std::optional<waiting_line> line;
};

} // namespace

TEST_CASE("a line counts and tells of what waits, and not of what is in hand") {
  line_fixture f;
  f.submit(1, 3, 100s);
  f.submit(2, 2, 100s);
  CHECK(f.line->count() == 5);
  const auto task = f.line->next(0s);
  REQUIRE(task);
  CHECK(task->whole);
  CHECK(f.line->count() == 2);
  f.line->leave(*task);
  CHECK(f.line->count() == 5);
  CHECK(f.start(0s) == 1);
  CHECK_FALSE(f.start(0s));
  std::uint32_t told = 0;
  f.line->visit([&](const waiting_task& t) { told += t.count(); });
  CHECK(told == 2);
}

TEST_CASE("a line says who is held up by a reservation, and who has no room") {
  line_fixture f;
  f.submit(1, 3, 100s);
  f.submit(2, 4, 100s);
  f.submit(3, 1, 200s);
  f.submit(4, 2, 10s);
  CHECK(f.start(0s) == 1);
  CHECK_FALSE(f.start(0s));
  CHECK(f.line->position_of(f.waiting(2))->ahead == 0);
  CHECK_FALSE(f.line->is_held_up(f.waiting(2)));
  CHECK(f.line->is_held_up(f.waiting(3)));
  CHECK(f.line->position_of(f.waiting(4))->ahead == 2);
  CHECK_FALSE(f.line->is_held_up(f.waiting(4)));
}

TEST_CASE("a gang that finds no machines is tried again after a second, or when something ends") {
  line_fixture f;
  f.submit(1, 2, 100s);
  f.submit(2, 3, 100s);
  CHECK(f.start(0s) == 1);
  f.line->end_run({1, 0}, 10s);
  const auto task = f.line->next(10s);
  REQUIRE(task);
  f.line->has_no_place(*task, 10s);
  CHECK_FALSE(f.line->next(10s));
  f.line->end(10s);
  CHECK(f.line->next_due() == 11s);
  f.line->begin(10500ms, false);
  CHECK_FALSE(f.line->next(10500ms));
  f.line->begin(11s, false);
  CHECK(f.start(11s) == 2);
}

TEST_CASE("what is held back comes again when something has changed") {
  line_fixture f;
  f.submit(1, 2, 100s);
  f.submit(2, 2, 100s);
  const auto task = f.line->next(0s);
  REQUIRE(task);
  f.line->hold_back(*task, 0s);
  CHECK(f.line->count() == 4);
  CHECK(f.start(0s) == 2);
  f.line->begin(1s, false);
  CHECK_FALSE(f.start(1s));
  f.line->begin(2s, true);
  CHECK(f.start(2s) == 1);
  CHECK(f.line->count() == 0);
}

TEST_CASE("all of a job can be taken out, but what is in hand") {
  line_fixture f;
  f.submit(1, 2, 100s);
  f.submit(2, 2, 100s);
  const auto task = f.line->next(0s);
  REQUIRE(task);
  CHECK(f.line->drop(1, 0s).empty());
  CHECK(f.line->drop(2, 0s).size() == 1);
  CHECK(f.line->count() == 0);
  CHECK(f.line->queue().empty());
}

TEST_CASE("a line says whom its tenant's maximum holds back") {
  resource_sum four;
  for (int i = 0; i < 4; ++i)
    four += one_slot;
  tenant_shares tenants{{{.max = 0.5}, {}}, four, 1};
  constexpr resource kinds[] = {resource::slots};
  start_queue queue{start_discipline::easy, {}, kinds};
  queue.set_capacity(four, {}, 0s);
  line_fixture f;
  f.line.emplace(std::move(queue), nullptr, &tenants);
  tenants.charge(0, 0, one_slot);
  f.submit(1, 2, 100s);
  f.submit(2, 1, 100s);
  f.submit(3, 2, 100s);
  CHECK(f.line->waits_for_tenant(f.waiting(1)));
  CHECK_FALSE(f.line->waits_for_tenant(f.waiting(2)));
  CHECK(f.line->waits_for_tenant(f.waiting(3)));
  CHECK_FALSE(f.line->is_held_up(f.waiting(3))); // no reservation is to blame
  const auto task = f.line->next(0s);
  REQUIRE(task);
  f.line->hold_back(*task, 0s);
  CHECK_FALSE(f.line->position_of(f.waiting(1)));
  CHECK(f.line->waits_for_tenant(f.waiting(1)));
  auto member = f.waiting(1);
  member.task.index = 1;
  CHECK(f.line->waits_for_tenant(member));
  tenants.refund(0, 0, one_slot);
  CHECK(f.line->waits_for_tenant(f.waiting(1))); // until the line looks again
  f.line->begin(1s, true);
  CHECK_FALSE(f.line->waits_for_tenant(f.waiting(1)));
  tenants.charge(0, 0, one_slot);
  const auto again = f.line->next(1s);
  REQUIRE(again);
  f.line->hold_back(*again, 1s);
  CHECK(f.line->drop(1, 1s).size() + f.line->drop(3, 1s).size() == 2);
  CHECK_FALSE(f.line->waits_for_tenant(f.waiting(2)));
}

TEST_CASE("a moldable job that its tenant's maximum never admits becomes narrower") {
  resource_sum four;
  for (int i = 0; i < 4; ++i)
    four += one_slot;
  tenant_shares tenants{{{.max = 0.7}, {}}, {}, 1, true};
  constexpr resource kinds[] = {resource::slots};
  start_queue queue{start_discipline::fcfs, {}, kinds};
  queue.choose_widths(width_rule::available);
  queue.set_capacity(four, {}, 0s);
  line_fixture f;
  f.line.emplace(std::move(queue), nullptr, &tenants);
  auto j = slot_job(1, 2);
  j.gang = true;
  j.estimate = 60s;
  j.mold = {2, 1, 8, 60s, 60s, {}, false};
  f.jobs.submit(std::move(j));
  f.line->add(f.jobs.take_head(), 0s); // while the cluster is empty
  tenants.set_capacity(four);
  auto task = f.line->next(0s);
  REQUIRE(task);
  CHECK(f.line->queue().last().tasks == 4);
  f.line->hold_back(*task, 0s);
  task = f.line->next(0s);
  REQUIRE(task);
  CHECK(f.line->queue().last().tasks == 2);
  f.line->hold_back(*task, 0s); // the tenant has something else now
  CHECK_FALSE(f.line->next(0s));
  CHECK(f.line->waits_for_tenant(f.waiting(1)));
}
