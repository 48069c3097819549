#include "actors/sparrow_cluster.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("late binding reserves ratio times the tasks, on different machines, rounded up") {
  sparrow_limits limits;
  limits.ratio = 1.5;
  cluster_of_one c{limits};
  c.submit(slot_job(1, 3));
  CHECK(c.reserved().size() == 5);
  CHECK(distinct(c.reserved()) == 5);
  for (const auto& [m, entry] : c.out.entries) {
    CHECK(entry.order.launcher == 3);
    CHECK(entry.order.task.job == 1);
    CHECK(entry.order.demand == one_slot);
    CHECK(entry.placed_on == m);
  }
  CHECK(c.core.counts().queued == 3);
}

TEST_CASE("with fewer machines than reservations some have several") {
  cluster_of_one c{{}, even_catalog(3, 1, 1)};
  c.submit(slot_job(1, 4));
  CHECK(c.reserved().size() == 8);
  CHECK(distinct(c.reserved()) == 3);
}

TEST_CASE("the first to ask get the tasks, the others nothing, and the rest is cancelled") {
  cluster_of_one c;
  c.submit(slot_job(1, 2));
  const auto reserved = c.reserved();
  REQUIRE(reserved.size() == 4);
  const auto first = c.ask(1, reserved[2]);
  CHECK_FALSE(first.none);
  CHECK(first.order.task == task_id{1, 0});
  CHECK(first.order.by_scheduler);
  CHECK(first.order.launcher == 3);
  CHECK(c.out.cancellations.empty());
  CHECK(c.ask(1, reserved[0]).order.task == task_id{1, 1});
  REQUIRE(c.out.cancellations.size() == 2);
  CHECK(distinct({c.out.cancellations[0].first, c.out.cancellations[1].first}) == 2);
  for (const auto& [m, what] : c.out.cancellations) {
    CHECK((m == reserved[1] || m == reserved[3]));
    CHECK(what.job == 1);
    CHECK(what.scheduler == 3);
  }
  const auto late = c.ask(1, reserved[1]);
  CHECK(late.none);
  CHECK(late.order.task.job == 1);
  CHECK(late.order.launcher == 3);
  const auto s = c.sample().sparrow;
  CHECK(s.reservations == 4);
  CHECK(s.requests == 3);
  CHECK(s.noops == 1);
  CHECK(s.cancellations == 2);
  CHECK(s.launched == 2);
}

TEST_CASE("a job that is given up before it has begun leaves no reservation in a queue") {
  cluster_of_one c;
  c.submit(slot_job(1, 2));
  c.core.abandon(1, 1s, c.out);
  CHECK(c.out.cancellations.size() == 4);
  CHECK(c.core.counts().abandoned == 2);
  CHECK(c.core.idle());
}

TEST_CASE("without cancellation reservations stay, and come to nothing") {
  sparrow_limits limits;
  limits.cancellation = false;
  cluster_of_one c{limits};
  c.submit(slot_job(1, 1));
  const auto reserved = c.reserved();
  CHECK_FALSE(c.ask(1, reserved[0]).none);
  CHECK(c.out.cancellations.empty());
  CHECK(c.ask(1, reserved[1]).none);
  CHECK(c.ask(77, 0).none);
}

TEST_CASE("the delay lasts until the task starts, the response until the last one ends") {
  cluster_of_one c;
  c.submit(slot_job(1, 2, 10s));
  const auto a = c.ask(1, c.reserved()[0]);
  const auto b = c.ask(1, c.reserved()[1]);
  CHECK(c.core.counts().in_commit == 2);
  c.start(a, c.reserved()[0], 11s);
  c.start(b, c.reserved()[1], 13s);
  CHECK(c.core.counts().running == 2);
  c.end(a.order.task, c.reserved()[0], 20s);
  CHECK_FALSE(c.core.idle());
  c.end(b.order.task, c.reserved()[1], 18s);
  CHECK(c.core.idle());
  const auto s = c.sample();
  CHECK(s.delay.count() == 2);
  CHECK(s.delay.mean() == doctest::Approx(2));
  CHECK(s.job_response.max() == doctest::Approx(10));
  CHECK(s.quality.count == 2);
  CHECK(s.tasks.placed == 2);
  CHECK(s.tasks.finished == 2);
  CHECK(s.jobs_finished == 1);
  CHECK(s.duplicate_grants == 0);
}

TEST_CASE("jobs submitted in the warm-up are left out of delays and responses") {
  sparrow_limits limits;
  limits.warmup = 5s;
  cluster_of_one c{limits};
  c.submit(slot_job(1, 1, 4s));
  const auto a = c.ask(1, c.reserved()[0]);
  c.start(a, c.reserved()[0], 6s);
  c.end(a.order.task, c.reserved()[0], 7s);
  const auto s = c.sample();
  CHECK(s.tasks.finished == 1);
  CHECK(s.delay.empty());
  CHECK(s.job_response.empty());
}

TEST_CASE("a task that starts or ends twice is noticed") {
  cluster_of_one c;
  c.submit(slot_job(1, 2));
  const auto m = c.reserved()[0];
  const auto a = c.ask(1, m);
  c.start(a, m, 1s);
  CHECK(c.sample().duplicate_grants == 0);
  c.start(a, m, 1s);
  CHECK(c.sample().duplicate_grants == 1);
  c.end(a.order.task, m, 2s);
  c.end(a.order.task, m, 2s);
  CHECK(c.sample().duplicate_grants == 1);
}

TEST_CASE("a job without tasks and one that comes twice are refused") {
  cluster_of_one c;
  c.submit(slot_job(1, 1));
  CHECK_THROWS_AS(c.core.submit({slot_job(1, 1)}), std::invalid_argument);
  CHECK_THROWS_AS(c.core.submit({job{2}}), std::invalid_argument);
}
