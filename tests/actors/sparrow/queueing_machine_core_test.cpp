#include "actors/queue/queueing_machine_core.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

queue_entry entry_of(entry_kind kind, job_id job, std::int32_t slots = 1) {
  queue_entry e;
  e.kind = kind;
  e.order = {{job, 0}, 3, resources::of_slots(slots), 1s, no_grant, kind != entry_kind::granted};
  return e;
}

task_assignment assignment(job_id job, std::int32_t slots = 1) {
  return {false, 0, {{job, 5}, 3, resources::of_slots(slots), 1s, no_grant, true}};
}

task_assignment no_task(job_id job) {
  task_assignment none{true, 0, {}};
  none.order.task.job = job;
  none.order.launcher = 3;
  return none;
}

struct queueing_machine_core_fixture {
  queueing_machine_core subject{resources::of_slots(2), queue_discipline::fifo, {}};

  void end(const task_id& task) {
    subject.started(task, 1);
    CHECK(subject.ended(1));
  }

  std::int32_t free() const { return subject.free()[resource::slots]; }
};

} // namespace

TEST_CASE_FIXTURE(queueing_machine_core_fixture,
                  "a reservation holds its slot until the answer, and then for the task") {
  CHECK(subject.push(entry_of(entry_kind::reservation, 1)));
  const auto entry = subject.next();
  REQUIRE(entry);
  CHECK(entry->kind == entry_kind::reservation);
  CHECK(free() == 1);
  const auto order = subject.answered(assignment(1));
  REQUIRE(order);
  CHECK(order->task == task_id{1, 5});
  CHECK(free() == 1);
  CHECK(subject.running() == std::vector<task_id>{{1, 5}});
  CHECK(subject.unused() == resources::of_slots(1));
  subject.started({1, 5}, 77);
  CHECK_FALSE(subject.ended(76));
  const auto was = subject.ended(77);
  REQUIRE(was);
  CHECK(was->demand == resources::of_slots(1));
  CHECK_FALSE(was->granted);
  CHECK(free() == 2);
  CHECK_FALSE(subject.ended(77));
}

TEST_CASE_FIXTURE(queueing_machine_core_fixture,
                  "an answer without a task frees the slot for what waits") {
  for (job_id j = 1; j <= 3; ++j)
    subject.push(entry_of(entry_kind::reservation, j));
  CHECK(subject.next());
  CHECK(subject.next());
  CHECK_FALSE(subject.next());
  CHECK_FALSE(subject.answered(no_task(2)));
  const auto entry = subject.next();
  REQUIRE(entry);
  CHECK(entry->order.task.job == 3);
}

TEST_CASE_FIXTURE(queueing_machine_core_fixture,
                  "an answer that nobody waits for changes nothing") {
  CHECK_FALSE(subject.answered(assignment(1)));
  CHECK(free() == 2);
  CHECK(subject.running().empty());
}

TEST_CASE_FIXTURE(queueing_machine_core_fixture,
                  "a task may be smaller than what was held for it, or wait if greater") {
  subject.push(entry_of(entry_kind::reservation, 1, 2));
  CHECK(subject.next());
  CHECK(subject.answered(assignment(1, 1)));
  CHECK(free() == 1);
  auto important = entry_of(entry_kind::reservation, 2, 1);
  important.priority = 5;
  subject.push(important);
  CHECK(subject.next());
  CHECK_FALSE(subject.answered(assignment(2, 2)));
  CHECK(subject.waiting() == 1);
  CHECK_FALSE(subject.next());
  end({1, 5});
  const auto entry = subject.next();
  REQUIRE(entry);
  CHECK(entry->kind == entry_kind::task);
  CHECK(entry->priority == 5);
  CHECK(entry->order.task == task_id{2, 5});
  CHECK(free() == 0);
}

TEST_CASE_FIXTURE(queueing_machine_core_fixture, "nobody overtakes the head of the queue") {
  subject.push(entry_of(entry_kind::task, 1));
  CHECK(subject.next());
  subject.push(entry_of(entry_kind::task, 2, 2));
  subject.push(entry_of(entry_kind::task, 3));
  CHECK_FALSE(subject.next());
  CHECK(subject.waiting() == 2);
}

TEST_CASE_FIXTURE(queueing_machine_core_fixture,
                  "what no idle machine could hold is not taken in") {
  CHECK_FALSE(subject.push(entry_of(entry_kind::task, 1, 3)));
  CHECK(subject.waiting() == 0);
}

TEST_CASE_FIXTURE(queueing_machine_core_fixture,
                  "the length of the queue is what waits, or minus what has room") {
  CHECK(subject.length(one_slot) == -2);
  CHECK(subject.length(resources::of_slots(2)) == -1);
  subject.push(entry_of(entry_kind::task, 1, 2));
  CHECK(subject.next());
  CHECK(subject.length(one_slot) == 0);
  subject.push(entry_of(entry_kind::task, 2));
  subject.push(entry_of(entry_kind::reservation, 3));
  CHECK(subject.length(one_slot) == 2);
}

TEST_CASE_FIXTURE(queueing_machine_core_fixture,
                  "a machine is idle if nothing waits, nothing is asked for, one fits") {
  CHECK(subject.idle(one_slot));
  subject.push(entry_of(entry_kind::reservation, 1));
  CHECK_FALSE(subject.idle(one_slot));
  CHECK(subject.next());
  CHECK_FALSE(subject.idle(one_slot));
  subject.answered(assignment(1));
  CHECK(subject.idle(one_slot));
  CHECK_FALSE(subject.idle(resources::of_slots(2)));
}

TEST_CASE_FIXTURE(queueing_machine_core_fixture, "only entries behind a long task are given away") {
  subject.push(entry_of(entry_kind::task, 1, 2));
  CHECK(subject.next());
  subject.push(entry_of(entry_kind::reservation, 2));
  CHECK(subject.give_away().empty());
  end({1, 0});
  subject.cancel({3, 2});
  subject.push(entry_of(entry_kind::granted, 9, 2));
  CHECK(subject.next());
  subject.push(entry_of(entry_kind::reservation, 3));
  CHECK(subject.give_away().size() == 1);
  end({9, 0});
  subject.push(entry_of(entry_kind::task, 4, 2));
  CHECK(subject.next());
  subject.push(entry_of(entry_kind::reservation, 5));
  CHECK(subject.give_away().empty());
}
