#include "model/metrics/task_balance.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

/// Job store 0 has accepted 100 tasks for schedulers 0 and 1. Of the 60 of scheduler 0, in
/// incarnation 2, 10 are handed over and not confirmed, of which it has taken 4; it knows of 20
/// ends, of which the store has heard 17. Scheduler 1 has 40, of which 15 are over.
struct task_balance_fixture {
  std::vector<store_account> stores{{0, 100, 32, {{0, 2, 60, 10, 17}, {1, 1, 40, 0, 15}}}};
  std::vector<store_account> later = stores;
  std::map<scheduler_id, scheduler_account> schedulers{
    {0, {2, {true, 20, 4, 10, {{0, 54, 20, 3}}}, {}}},
    {1, {1, {true, 5, 5, 15, {{0, 40, 15, 0}}}, {}}}};

  task_balance sum(bool last = true) {
    for (auto& [_, s] : schedulers) {
      s.counted.queued = s.places.queued;
      s.counted.in_commit = s.places.in_commit;
      s.counted.running = s.places.running;
    }
    return balance_of(stores, schedulers, last ? &later : nullptr);
  }

  task_places& of(scheduler_id s) { return schedulers.at(s).places; }
};

} // namespace

TEST_CASE_FIXTURE(task_balance_fixture, "what each party counts adds up to what was submitted") {
  const auto b = sum();
  CHECK(b.wrong == "");
  CHECK(b.submitted == 100);
  CHECK(b.queued == 25);
  CHECK(b.in_commit == 9);
  CHECK(b.running == 25);
  CHECK(b.over == 32);
  CHECK(b.on_the_way == 6 + 3);
  CHECK(b.unheard == 0);
}

TEST_CASE_FIXTURE(task_balance_fixture, "a lost task is missed, whoever has lost it") {
  SUBCASE("from a queue") {
    --of(0).queued;
    CHECK(sum(false).wrong == "scheduler 0 has taken 54 tasks and can say where 53 are");
  }
  SUBCASE("from a commit") {
    --of(1).in_commit;
    CHECK(sum(false).wrong == "scheduler 1 has taken 40 tasks and can say where 39 are");
  }
  SUBCASE("from a queue, and it is still counted") {
    sum();
    --of(0).queued;
    const auto b = balance_of(stores, schedulers, nullptr);
    CHECK(b.wrong == "scheduler 0 counts 20 tasks queued and holds 19");
  }
  SUBCASE("on its way to a scheduler that has confirmed it") {
    stores[0].handed[0].unconfirmed = 5;
    CHECK(sum().wrong == "scheduler 0 has taken 54 tasks and has confirmed 55");
  }
  SUBCASE("in a job store") {
    --stores[0].handed[1].given;
    --of(1).stores[0].taken;
    --of(1).queued;
    CHECK(sum().wrong == "job store 0 has accepted 100 tasks and can say where 99 are");
  }
  SUBCASE("as its end was confirmed and not noted") {
    of(0).stores[0].untold = 2;
    CHECK(sum().wrong ==
          "scheduler 0 has reported the ends of 18 tasks, its job store knows of 17");
  }
}

TEST_CASE_FIXTURE(task_balance_fixture, "a task that is there twice is noticed") {
  SUBCASE("queued and running") {
    ++of(0).queued;
    CHECK(sum(false).wrong == "scheduler 0 has taken 54 tasks and can say where 55 are");
  }
  SUBCASE("ended twice, by the scheduler's book") {
    ++of(1).stores[0].over;
    --of(1).running;
    CHECK(sum().wrong ==
          "scheduler 1 has reported the ends of 16 tasks, its job store knows of 15");
  }
  SUBCASE("ended by the job store's book only") {
    ++stores[0].over;
    stores[0].handed[0].heard = 21;
    stores[0].over += 3;
    CHECK(sum().wrong == "scheduler 0 knows of the ends of 20 tasks, its job store of 21");
  }
  SUBCASE("taken twice") {
    of(1).stores[0].taken = 41;
    ++of(1).queued;
    CHECK(sum().wrong == "scheduler 1 has taken 41 tasks of 40 that it was given");
  }
}

TEST_CASE_FIXTURE(task_balance_fixture,
                  "what schedulers that do not answer have is what their job stores say") {
  SUBCASE("silent") {
    schedulers.erase(0);
  }
  SUBCASE("another incarnation") {
    schedulers.at(0) = {3, {true, 0, 0, 0, {}}, {}};
  }
  const auto b = sum();
  CHECK(b.wrong == "");
  CHECK(b.unheard == 43);
  CHECK(b.submitted == b.queued + b.in_commit + b.running + b.over + b.on_the_way + b.unheard);
}

TEST_CASE_FIXTURE(task_balance_fixture,
                  "what an earlier incarnation has left is taken, and waits") {
  of(1).queued = 0;
  of(1).stores[0].left = 5;
  const auto b = sum();
  CHECK(b.wrong == "");
  CHECK(b.queued == 25);
}

TEST_CASE_FIXTURE(task_balance_fixture,
                  "in the middle of a run only what holds at any time is judged") {
  stores[0].handed[0].given = 50; // more was handed over since the store was asked
  stores[0].tasks = 90;
  CHECK(sum(false).wrong == "");
}
