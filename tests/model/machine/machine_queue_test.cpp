#include "model/machine/machine_queue.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace troupe;
using namespace troupe::testing;

namespace {

queue_entry reservation(job_id job, std::uint32_t tenant = 0, std::int32_t priority = 0,
                        scheduler_id scheduler = 0) {
  queue_entry e;
  e.order.task.job = job;
  e.order.launcher = scheduler;
  e.order.demand = one_slot;
  e.tenant = tenant;
  e.priority = priority;
  return e;
}

queue_entry entry_of(entry_kind kind, job_id job) {
  auto e = reservation(job);
  e.kind = kind;
  return e;
}

/// The jobs in the order in which they leave the queue.
std::vector<job_id> drain(machine_queue& queue) {
  std::vector<job_id> jobs;
  while (!queue.empty())
    jobs.push_back(queue.pop().order.task.job);
  return jobs;
}

using jobs = std::vector<job_id>;

} // namespace

TEST_CASE("a first-come queue keeps the order of coming, whatever the priority") {
  machine_queue queue{queue_discipline::fifo, {}};
  CHECK(queue.head() == nullptr);
  queue.push(reservation(1, 0, -5));
  queue.push(reservation(2, 3, 9));
  queue.push(reservation(3));
  REQUIRE(queue.head() != nullptr);
  CHECK(queue.head()->order.task.job == 1);
  CHECK(queue.size() == 3);
  CHECK(drain(queue) == jobs{1, 2, 3});
}

TEST_CASE("a first-come queue stays in order through many comings and goings") {
  machine_queue queue{queue_discipline::fifo, {}};
  job_id next = 0;
  job_id expected = 0;
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 7; ++i)
      queue.push(reservation(next++));
    for (int i = 0; i < 5; ++i)
      CHECK(queue.pop().order.task.job == expected++);
  }
  CHECK(queue.size() == 100);
  CHECK(drain(queue).back() == next - 1);
}

TEST_CASE("a priority queue serves strictly by priority, first come among equals") {
  machine_queue queue{queue_discipline::priority, {}};
  queue.push(reservation(1, 0, 0));
  queue.push(reservation(2, 0, 7));
  queue.push(reservation(3, 0, -1));
  queue.push(reservation(4, 0, 7));
  CHECK(queue.pop().order.task.job == 2);
  queue.push(reservation(5, 0, 8));
  CHECK(drain(queue) == jobs{5, 4, 1, 3});
}

TEST_CASE("a fair queue serves tenants by their weights") {
  const std::vector<double> weights{1, 3};
  machine_queue queue{queue_discipline::fair, weights};
  for (int i = 0; i < 40; ++i) {
    queue.push(reservation(0, 0));
    queue.push(reservation(1, 1));
  }
  int of_tenant[2] = {0, 0};
  for (int i = 0; i < 40; ++i)
    ++of_tenant[queue.pop().order.task.job];
  CHECK(of_tenant[0] == 10);
  CHECK(of_tenant[1] == 30);
}

TEST_CASE("a tenant that pauses earns no credit") {
  machine_queue queue{queue_discipline::fair, {}};
  for (int i = 0; i < 20; ++i)
    queue.push(reservation(0, 0));
  for (int i = 0; i < 10; ++i)
    queue.pop();
  for (int i = 0; i < 10; ++i)
    queue.push(reservation(1, 1));
  int of_late_tenant = 0;
  for (int i = 0; i < 10; ++i)
    of_late_tenant += queue.pop().order.task.job == 1;
  CHECK(of_late_tenant == 5);
}

TEST_CASE("what a tenant was charged for a task that did not come is given back") {
  machine_queue queue{queue_discipline::fair, {}};
  for (int i = 0; i < 4; ++i) {
    queue.push(reservation(0, 0));
    queue.push(reservation(1, 1));
  }
  CHECK(queue.pop().order.task.job == 0);
  queue.refund(0);
  CHECK(queue.pop().order.task.job == 0);
  CHECK(queue.pop().order.task.job == 1);
}

TEST_CASE("cancelling takes the reservations of one job of one scheduler, and no tasks") {
  machine_queue queue{queue_discipline::fifo, {}};
  queue.push(reservation(1, 0, 0, 4));
  queue.push(entry_of(entry_kind::task, 1));
  queue.push(reservation(1, 0, 0, 5));
  queue.push(reservation(2, 0, 0, 4));
  queue.push(reservation(1, 0, 0, 4));
  CHECK(queue.cancel(4, 1) == 2);
  CHECK(queue.cancel(4, 1) == 0);
  CHECK(queue.size() == 3);
  CHECK(queue.pop().kind == entry_kind::task);
  CHECK(queue.pop().order.launcher == 5);
  CHECK(queue.pop().order.task.job == 2);
}

TEST_CASE("a task that waits can be taken out") {
  machine_queue queue{queue_discipline::fifo, {}};
  queue.push(reservation(1));
  queue.push(entry_of(entry_kind::task, 1));
  const auto order = queue.remove({1, 0});
  REQUIRE(order);
  CHECK(order->task == task_id{1, 0});
  CHECK_FALSE(queue.remove({1, 0}));
  CHECK(queue.size() == 1);
  CHECK(queue.head()->kind == entry_kind::reservation);
}

TEST_CASE("what is behind a long task is the first run of short entries after one") {
  machine_queue queue{queue_discipline::fifo, {}};
  const auto fill = [&] {
    for (const char kind : std::string{"ssLssLs"})
      queue.push(kind == 'L' ? entry_of(entry_kind::granted, 100) : reservation(queue.size()));
  };
  const auto numbers = [](const std::vector<queue_entry>& entries) {
    jobs all;
    for (const auto& e : entries)
      all.push_back(e.order.task.job);
    return all;
  };
  fill();
  CHECK(numbers(queue.take_behind_long(true)) == jobs{0, 1});
  CHECK(numbers(queue.take_behind_long(false)) == jobs{3, 4});
  CHECK(numbers(queue.take_behind_long(false)) == jobs{6});
  CHECK(queue.take_behind_long(true).empty());
  CHECK(drain(queue) == jobs{100, 100});
}

TEST_CASE("a task that was sent to a machine stays there, behind a long one as well") {
  machine_queue queue{queue_discipline::fifo, {}};
  queue.push(reservation(1));
  queue.push(entry_of(entry_kind::task, 2));
  queue.push(reservation(3));
  const auto taken = queue.take_behind_long(true);
  CHECK(taken.size() == 2);
  CHECK(queue.size() == 1);
  CHECK(queue.head()->kind == entry_kind::task);
}

TEST_CASE("where no task is long nothing is behind one") {
  machine_queue queue{queue_discipline::fifo, {}};
  queue.push(reservation(1));
  CHECK(queue.take_behind_long(false).empty());
  CHECK(queue.size() == 1);
}

TEST_CASE("whatever a scheduler has in the queue can be dropped") {
  machine_queue queue{queue_discipline::priority, {}};
  queue.push(reservation(1, 0, 2, 4));
  queue.push(reservation(2, 0, 1, 5));
  queue.push(reservation(3, 0, 1, 4));
  CHECK(queue.holds(4));
  queue.drop(4);
  CHECK_FALSE(queue.holds(4));
  CHECK(queue.holds(5));
  CHECK(drain(queue) == jobs{2});
}

TEST_CASE("entries that may not be taken wait, and keep their places") {
  for (const auto how :
       {queue_discipline::fifo, queue_discipline::priority, queue_discipline::fair}) {
    machine_queue queue{how, {}};
    for (job_id j = 1; j <= 4; ++j)
      queue.push(reservation(j));
    const auto odd = [](const queue_entry& e) { return e.order.task.job % 2 == 1; };
    const auto even = [](const queue_entry& e) { return e.order.task.job % 2 == 0; };
    const auto none = [](const queue_entry&) { return false; };
    CHECK(queue.head_of(none) == nullptr);
    CHECK_FALSE(queue.pop_of(none));
    REQUIRE(queue.head_of(even) != nullptr);
    CHECK(queue.head_of(even)->order.task.job == 2);
    CHECK(queue.pop_of(even)->order.task.job == 2);
    CHECK(queue.size() == 3);
    CHECK(queue.head_of(even)->order.task.job == 4);
    CHECK(queue.pop_of(odd)->order.task.job == 1);
    CHECK(drain(queue) == jobs{3, 4});
  }
}

TEST_CASE("an entry of a later lane goes first if those before may not be taken") {
  machine_queue queue{queue_discipline::priority, {}};
  queue.push(reservation(1, 0, 5));
  queue.push(reservation(2, 0, 1));
  const auto second = [](const queue_entry& e) { return e.order.task.job == 2; };
  CHECK(queue.pop_of(second)->order.task.job == 2);
  CHECK(drain(queue) == jobs{1});
}

TEST_CASE("reservations that are given back leave the tasks behind") {
  machine_queue queue{queue_discipline::fifo, {}};
  queue.push(reservation(1));
  queue.push(entry_of(entry_kind::task, 2));
  queue.push(reservation(3));
  queue.push(reservation(4));
  const auto taken =
    queue.take_reservations([](const queue_entry& e) { return e.order.task.job < 4; });
  REQUIRE(taken.size() == 2);
  CHECK(taken[0].order.task.job == 1);
  CHECK(taken[1].order.task.job == 3);
  CHECK(queue.size() == 2);
  CHECK(drain(queue) == jobs{2, 4});
}

TEST_CASE("another machine gets only what it may have") {
  machine_queue queue{queue_discipline::fifo, {}};
  for (job_id j = 1; j <= 3; ++j)
    queue.push(reservation(j));
  const auto taken =
    queue.take_behind_long(true, [](const queue_entry& e) { return e.order.task.job != 2; });
  CHECK(taken.size() == 2);
  CHECK(drain(queue) == jobs{2});
}
