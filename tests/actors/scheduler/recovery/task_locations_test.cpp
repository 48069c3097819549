#include "actors/scheduler/recovery/task_locations.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("an end is booked only if the task is known to run there") {
  scheduler_fixture all{small_limits(view_source::own_tasks)};
  all.watch_failures();
  all.submit(1, 2);
  all.grant(all.place().at(0)); // both on machine 0
  all.parts.locations.end({{1, 0}, 3, task_outcome::finished, 1s});
  CHECK(all.counts().finished == 0);
  all.parts.locations.end({{1, 0}, 0, task_outcome::finished, 1s});
  all.parts.locations.end({{1, 0}, 0, task_outcome::finished, 1s});
  CHECK(all.counts().finished == 1);
  CHECK(all.counts().running == 1);
}

TEST_CASE("a task that may run is found elsewhere, or waits again once all machines are known") {
  scheduler_fixture all{small_limits(view_source::own_tasks)};
  all.watch_failures();
  all.submit(1, 1);
  auto& books = *all.parts.failover;
  const auto sent = all.place().at(0);
  books.unsure.emplace(task_id{1, 0}, instant{0});
  all.grant(sent);
  CHECK(all.counts().running == 1);
  CHECK(all.counts().placed == 0);
  SUBCASE("on another machine") {
    owner_statement statement{0, session_base(1, 1), {{{1, 0}, 1}}};
    all.parts.locations.locate_all(statement);
    CHECK(all.counts().placed == 1);
    CHECK(books.running.at({1, 0}) == 1);
    CHECK(all.parts.charged.seen().free(1) == one_slot);
  }
  SUBCASE("nowhere") {
    all.parts.locations.settle_unsure();
    CHECK(all.counts().queued == 1);
    CHECK(books.running.empty());
    CHECK(all.parts.charged.seen().free(1) == resources::of_slots(2));
  }
  CHECK(books.unsure.empty());
  CHECK(all.parts.charged.seen().free(0) == resources::of_slots(2));
}
