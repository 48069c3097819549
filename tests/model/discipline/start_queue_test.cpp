#include "model/discipline/start_queue.hpp"
#include "requests.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// A queue for 4 slots.
struct small_queue : start_queue {
  explicit small_queue(start_discipline how, start_ordering by = {})
    : start_queue(how, std::move(by), kinds) {
    set_capacity(resource_sum{} + of_slots(4, 1000), {}, 0s);
  }

  /// Starts all that may start, and returns their jobs.
  std::vector<job_id> start_all(instant now) {
    std::vector<job_id> jobs;
    while (const auto what = next(now)) {
      resources demand;
      for (std::size_t k = 0; k < resource_kinds; ++k)
        demand.amount[k] = static_cast<std::int32_t>(what->need.amount[k]);
      begin_run(what->first, demand, end_of_last(now), now);
      started(now);
      jobs.push_back(what->first.job);
    }
    return jobs;
  }
};

using jobs = std::vector<job_id>;

} // namespace

TEST_CASE("narrow jobs overtake a wide one only where the discipline lets them") {
  for (const auto how : {start_discipline::fcfs, start_discipline::easy}) {
    small_queue queue{how};
    queue.add(request(1, 3, 100s), 0s);
    queue.add(request(2, 4, 100s), 0s);
    queue.add(request(3, 1, 90s), 0s);  // over before the wide one starts
    queue.add(request(4, 1, 200s), 0s); // not
    const bool fills = how == start_discipline::easy;
    CHECK(queue.start_all(0s) == (fills ? jobs{1, 3} : jobs{1}));
    CHECK(queue.position_of({2, 0}) == 0);
    CHECK(queue.reserved_at({2, 0}) == (fills ? instant{100s} : far_future));
    if (fills)
      queue.end_run({3, 0}, 90s);
    CHECK(queue.start_all(90s).empty());
    queue.end_run({1, 0}, 100s);
    CHECK(queue.start_all(100s) == jobs{2});
  }
}

TEST_CASE("each request under conservative has a reservation that later ones do not move") {
  small_queue queue{start_discipline::conservative};
  queue.add(request(1, 3, 100s), 0s);
  CHECK(queue.start_all(0s) == jobs{1});
  queue.add(request(2, 4, 100s), 1s);
  queue.add(request(3, 2, 100s), 2s);
  queue.add(request(4, 1, 99s), 3s); // would end at 102 s
  CHECK(queue.start_all(3s).empty());
  CHECK(queue.reserved_at({2, 0}) == 100s);
  CHECK(queue.reserved_at({3, 0}) == 200s);
  CHECK(queue.reserved_at({4, 0}) == 200s);
  queue.end_run({1, 0}, 50s); // earlier than expected
  CHECK(queue.start_all(50s) == jobs{2});
  CHECK(queue.reserved_at({3, 0}) == 150s);
  CHECK(queue.next_due(50s) == 150s);
}

TEST_CASE("what starts a little late leaves no gap in which nothing can be placed") {
  small_queue queue{start_discipline::conservative};
  queue.add(request(1, 4, 100s), 0s);
  CHECK(queue.start_all(0s) == jobs{1});
  queue.add(request(2, 3, 100s), 0s);
  queue.add(request(3, 3, 100s), 0s);
  CHECK(queue.start_all(100s).empty());
  queue.end_run({1, 0}, 100s + 5ms); // heard of a little later than expected
  CHECK(queue.start_all(100s + 5ms) == jobs{2});
  queue.add(request(4, 1, 150s), 120s); // across the beginning of the third one
  CHECK(queue.reserved_at({3, 0}) == 200s);
  CHECK(queue.start_all(120s) == jobs{4});
}

TEST_CASE("memory is reserved as well as slots") {
  small_queue queue{start_discipline::easy};
  auto heavy = request(1, 1, 100s);
  heavy.need += of_slots(0, 900);
  auto second = request(2, 1, 100s);
  second.need += of_slots(0, 900);
  auto third = request(3, 1, 200s);
  third.need += of_slots(0, 50);
  auto fourth = request(4, 1, 200s);
  fourth.need += of_slots(0, 60);
  for (const auto& r : {heavy, second, third, fourth})
    queue.add(r, 0s);
  CHECK(queue.start_all(0s) == jobs{1, 3}); // the fourth would take 10 MiB from the second
}

TEST_CASE("the order of the queue is what is asked for") {
  const auto order_of = [](start_ordering by) {
    small_queue queue{start_discipline::easy, std::move(by)};
    auto urgent = request(4, 2, 50s, 3s);
    urgent.priority = 1;
    for (const auto& r : {request(1, 1, 30s, 0s), request(2, 3, 20s, 1s), request(3, 2, 10s, 2s)})
      queue.add(r, 3s);
    queue.add(urgent, 3s);
    jobs order;
    queue.visit([&](const start_request& r) { order.push_back(r.first.job); });
    return order;
  };
  CHECK(order_of({}) == jobs{4, 1, 2, 3});
  CHECK(order_of({.aging = 2500ms}) == jobs{1, 4, 2, 3});
  CHECK(order_of({.order = start_order::shortest}) == jobs{4, 3, 2, 1});
  CHECK(order_of({.order = start_order::widest}) == jobs{4, 2, 3, 1});
  start_ordering by{.order = start_order::multifactor};
  by.cluster += of_slots(4, 1000);
  by.factors = {.age = 0, .size = 1, .share = 0, .priority = 0};
  CHECK(order_of(by) == jobs{2, 3, 4, 1});
  by.factors = {.age = 1, .size = 0, .share = 0, .priority = 0, .max_age = 2s};
  CHECK(order_of(by) == jobs{1, 2, 3, 4});
}

TEST_CASE("a tenant that uses more than its due waits longer under multifactor") {
  start_ordering by{.order = start_order::multifactor};
  by.factors = {.age = 0, .size = 0, .share = 1, .priority = 0};
  double use = 2;
  by.use_of = [&use](std::uint32_t tenant) { return tenant == 0 ? use : 1; };
  small_queue queue{start_discipline::fcfs, by};
  queue.add(request(1, 4, 10s), 0s);
  auto other = request(2, 4, 10s);
  other.tenant = 1;
  queue.add(other, 0s);
  CHECK(queue.position_of({2, 0}) == 0);
  use = 0.5;
  CHECK(queue.start_all(60s) == jobs{1}); // ranks are as of a minute ago at the most
}

TEST_CASE("sizes are shares of the cluster as it is now") {
  start_ordering by{.order = start_order::multifactor};
  by.factors = {.age = 0, .size = 1, .share = 0, .priority = 0};
  small_queue queue{start_discipline::fcfs, by};
  queue.add(request(1, 1, 10s), 0s);
  queue.add(request(2, 4, 10s), 1s);
  CHECK(queue.position_of({2, 0}) == 1); // nothing is known of the cluster
  queue.set_cluster(resource_sum{} + of_slots(8, 1000));
  CHECK(queue.start_all(2s) == jobs{2});
  CHECK(queue.position_of({1, 0}) == 0);
}

TEST_CASE("a first request without machines holds others back that would be in its way") {
  small_queue queue{start_discipline::easy};
  queue.begin_run({9, 0}, of_slots(1), 50s, 0s);
  queue.add(request(1, 3, 100s), 0s);
  queue.add(request(2, 1, 60s), 0s);
  queue.add(request(3, 1, 50s), 0s);
  auto what = queue.next(0s);
  REQUIRE(what);
  CHECK(what->first.job == 1);
  queue.has_no_place(0s);
  CHECK(queue.any_without_place());
  what = queue.next(0s);
  REQUIRE(what);
  CHECK(what->first.job == 3);
  queue.has_no_place(0s);
  CHECK_FALSE(queue.next(0s));
  queue.end_run({9, 0}, 40s);
  CHECK(queue.start_all(40s) == jobs{1, 2});
}

TEST_CASE("what others hold counts as free after the mean estimate, and promises are kept") {
  small_queue queue{start_discipline::easy};
  queue.set_capacity(resource_sum{} + of_slots(1, 1000), resource_sum{} + of_slots(3), 0s);
  queue.add(request(1, 4, 100s), 0s);
  queue.add(request(2, 1, 100s), 0s); // over when the first one may start
  queue.add(request(3, 1, 100s), 10s);
  CHECK(queue.start_all(0s) == jobs{2});
  CHECK(queue.reserved_at({1, 0}) == 100s);
  queue.end_run({2, 0}, 90s);
  CHECK(queue.start_all(90s).empty()); // the promise holds, though others hold as much as before
  CHECK(queue.reserved_at({1, 0}) == 100s);
  CHECK(queue.start_all(150s).empty());
  queue.set_capacity(resource_sum{} + of_slots(4, 1000), {}, 160s);
  CHECK(queue.start_all(160s) == jobs{1});
}

TEST_CASE("a request that is more than there is holds nobody up, until there is more") {
  for (const auto how : {start_discipline::easy, start_discipline::conservative}) {
    small_queue queue{how};
    queue.add(request(1, 5, 100s), 0s);
    queue.add(request(2, 4, 100s), 0s);
    CHECK(queue.start_all(0s) == jobs{2});
    queue.set_capacity(resource_sum{} + of_slots(9), {}, 10s);
    CHECK(queue.start_all(10s) == jobs{1});
  }
}

TEST_CASE("reservations are made anew where machines have gone") {
  small_queue queue{start_discipline::conservative};
  queue.add(request(1, 4, 1000s), 0s);
  CHECK(queue.start_all(0s) == jobs{1});
  queue.add(request(2, 3, 2000s), 1s);
  queue.add(request(3, 1, 3000s), 1s);
  CHECK(queue.reserved_at({2, 0}) == 1000s);
  CHECK(queue.reserved_at({3, 0}) == 1000s);
  queue.set_capacity(resource_sum{} + of_slots(3, 1000), {}, 5s);
  CHECK(queue.start_all(5s).empty());
  CHECK(queue.reserved_at({2, 0}) == 1000s);
  CHECK(queue.reserved_at({3, 0}) == 3000s);
  queue.end_run({1, 0}, 6s);
  CHECK(queue.start_all(6s) == jobs{2});
  CHECK(queue.reserved_at({3, 0}) == 2006s);
}

TEST_CASE("requests of unknown length count as endless") {
  for (const auto how : {start_discipline::easy, start_discipline::conservative}) {
    small_queue queue{how};
    queue.add(request(1, 3, 0s), 0s);
    queue.add(request(2, 4, 10s), 0s);
    queue.add(request(3, 1, 0s), 0s);
    queue.start_all(0s);
    queue.end_run({1, 0}, 5s);
    queue.end_run({3, 0}, 5s);
    CHECK(queue.start_all(5s) == jobs{2});
    CHECK(queue.empty());
  }
}

TEST_CASE("what is taken back or taken out leaves no trace") {
  small_queue queue{start_discipline::conservative};
  queue.add(request(1, 4, 100s), 0s);
  auto what = queue.next(0s);
  REQUIRE(what);
  queue.begin_run({1, 0}, of_slots(4), 100s, 0s);
  queue.take_back_run({1, 0}, 0s);
  queue.has_no_place(0s);
  CHECK_FALSE(queue.next(0s));
  queue.try_again();
  queue.add(request(2, 4, 50s), 1s);
  CHECK(queue.reserved_at({2, 0}) == 100s);
  CHECK(queue.remove({1, 0}, 2s));
  CHECK_FALSE(queue.remove({1, 0}, 2s));
  CHECK(queue.start_all(2s) == jobs{2});
}

TEST_CASE("a moldable request for which no machines are found becomes narrower") {
  for (const auto how :
       {start_discipline::fcfs, start_discipline::easy, start_discipline::conservative}) {
    small_queue queue{how};
    auto what = request(1, 4, 100s);
    for (const std::uint32_t width : {2, 3, 4})
      what.shapes.push_back({width, request(1, static_cast<std::int32_t>(width), 1s).need,
                             400s / static_cast<int>(width)});
    what.requested = 2;
    queue.add(what, 0s);
    for (const std::uint32_t width : {4, 3, 2}) {
      const auto next = queue.next(0s);
      REQUIRE(next);
      CHECK(next->tasks == width);
      CHECK(queue.position_of({1, 0}) == 0);
      queue.has_no_place(0s);
    }
    CHECK_FALSE(queue.next(0s));
    CHECK(queue.any_without_place());
    queue.try_again();
    CHECK(queue.start_all(1s) == jobs{1});
  }
}

TEST_CASE("a request that found no machines in the parts chosen for it looks in all open parts") {
  const machine_windows windows{{{100s, 110s, {}, {1}}}, 2, nullptr};
  for (const auto how :
       {start_discipline::fcfs, start_discipline::easy, start_discipline::conservative}) {
    start_queue queue{how, {}, kinds, &windows};
    for (const std::uint32_t part : {0, 1})
      queue.set_capacity(resource_sum{} + of_slots(2), {}, 0s, part);
    queue.add(request(1, 1, 10s), 0s);
    REQUIRE(queue.next(0s));
    CHECK(queue.may_use_pool(1)); // it closes first
    CHECK_FALSE(queue.may_use_pool(0));
    queue.has_no_place(0s);
    CHECK_FALSE(queue.next(0s));
    queue.try_again();
    REQUIRE(queue.next(1s));
    CHECK(queue.may_use_pool(1));
    CHECK(queue.may_use_pool(0));
    queue.has_no_place(1s);
    queue.try_again();
    REQUIRE(queue.next(95s)); // it would reach into the window
    CHECK_FALSE(queue.may_use_pool(1));
    CHECK(queue.may_use_pool(0));
  }
}

TEST_CASE("a reservation for more than its part turns out to hold is made anew") {
  const machine_windows windows{{{5s, 50s, {}, {1}}}, 2, nullptr};
  start_queue queue{start_discipline::conservative, {}, kinds, &windows};
  queue.set_capacity(resource_sum{} + of_slots(2), resource_sum{} + of_slots(1), 0s, 0);
  queue.set_capacity(resource_sum{} + of_slots(2), {}, 0s, 1);
  queue.add(request(1, 3, 10s), 0s);
  CHECK(queue.reserved_at({1, 0}) == 1s);
  queue.set_capacity(resource_sum{} + of_slots(2), {}, 0s, 0);
  CHECK_FALSE(queue.next(20s));
  REQUIRE(queue.next(60s));
  CHECK(queue.may_use_pool(0));
  CHECK(queue.may_use_pool(1));
}

TEST_CASE("a priority that is worth more waiting than there is time comes first, or last") {
  start_ordering by;
  by.aging = 24h;
  small_queue queue{start_discipline::fcfs, by};
  constexpr std::int32_t priorities[] = {0, 200'000, 1'000'000, -1'000'000, 1, -200'000};
  for (job_id id = 0; id < std::size(priorities); ++id) {
    auto what = request(id, 1, 100s, 1h);
    what.priority = priorities[id];
    queue.add(what, 1h);
  }
  jobs order(std::size(priorities));
  for (job_id id = 0; id < order.size(); ++id)
    order[*queue.position_of({id, 0})] = id;
  CHECK(order == jobs{2, 1, 4, 0, 5, 3});
}

TEST_CASE("others use at once what a job gives back that becomes narrower") {
  start_queue queue{start_discipline::conservative, {}, kinds};
  queue.set_capacity(sum_of_slots(4), {}, 0s);
  auto wide = request(1, 4, 10s);
  for (const std::uint32_t width : {2, 4})
    wide.shapes.push_back(
      {width, sum_of_slots(static_cast<std::int32_t>(width)), width == 2 ? 20s : 10s});
  wide.requested = 1;
  queue.add(wide, 0s);
  queue.add(request(2, 2, 5s), 0s);
  CHECK(queue.reserved_at({2, 0}) == 10s);
  REQUIRE(queue.next(0s));
  CHECK(queue.last().tasks == 4);
  queue.has_no_place(0s); // as two of its tasks would be on one machine
  REQUIRE(queue.next(0s));
  CHECK(queue.last().tasks == 2);
  queue.begin_run({1, 0}, of_slots(1), 20s, 0s);
  queue.begin_run({1, 1}, of_slots(1), 20s, 0s);
  queue.started(0s);
  const auto other = queue.next(0s);
  REQUIRE(other);
  CHECK(other->first == task_id{2, 0});
}
