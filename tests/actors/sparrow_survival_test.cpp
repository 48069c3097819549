#include "actors/sparrow_survival.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

constexpr scheduler_id own_id = 3;

sparrow_survival_rules rules_of(incarnation life, std::uint32_t retries = 0) {
  return {life, {0}, retries, 500ms, 1500ms, 1500ms, 10s, life > 1 ? duration{8s} : duration{0s}};
}

/// A scheduler, in some life, on four machines with one slot.
struct world {
  explicit world(incarnation life = 1, std::uint32_t retries = 0)
    : core(rules_of(life, retries), own_id, machines, {}, random_stream{1}, 0, 0s), life_(life) {}

  queue_beat beat(machine_id m, instant sent, incarnation life = 1) {
    queue_beat b{m, life, own_id, life_, sent};
    b.orders_seen = orders[m];
    b.first_event = events[m] + 1;
    return b;
  }

  queue_beat joining(machine_id m, instant sent, incarnation life = 1) {
    auto b = beat(m, sent, life);
    b.orders_seen = orders[m] = 0;
    b.joins = true;
    return b;
  }

  void join_all(instant now, machine_id machines_ = 4) {
    core.vouched(now, now);
    for (machine_id m = 0; m < machines_; ++m)
      core.hear(joining(m, now), now);
    core.words(now);
  }

  void deliver(job j, instant now) {
    job_delivery d{0, life_, ++deliveries, false, {}};
    d.jobs.push_back({std::move(j), {}});
    core.deliver(d, now);
    decide(now);
  }

  void decide(instant now) {
    while (core.decide(now))
      core.place(now);
  }

  queue_event event(queue_event_kind kind, const task_id& task, machine_id m, instant at) {
    queue_event e;
    e.kind = kind;
    e.request = {task.job, 0, m, m, -1};
    e.ended = {1, own_id, {task, m, task_outcome::finished, at}};
    return e;
  }

  /// The machine tells of something that has happened.
  void tell(machine_id m, queue_event what, instant now) {
    auto b = beat(m, now);
    b.busy = true;
    b.events = {std::move(what)};
    core.hear(b, now);
    ++events[m];
  }

  /// Looks around every heartbeat, with the master's answers if it cannot have been replaced.
  void watch(instant from, instant to, bool sure = true) {
    for (auto now = from; now <= to; now += 500ms) {
      if (sure)
        core.vouched(now, now);
      core.look_around(now);
    }
  }

  /// Returns the machines that are told to take something in, or answered with a task.
  std::set<machine_id> ordered(instant now) {
    std::set<machine_id> all;
    for (const auto& w : core.words(now))
      if (std::ranges::any_of(w.orders, [](const auto& o) {
            return o.kind == queue_order_kind::entry || o.kind == queue_order_kind::answer;
          }))
        all.insert(w.machine);
    return all;
  }

  /// Has machine `m` ask for a task of job 1 and start it. Returns which one it is.
  task_id run(machine_id m, instant now) {
    tell(m, event(queue_event_kind::request, {1, 0}, m, now), now);
    task_id given;
    for (const auto& w : core.words(now))
      for (const auto& o : w.orders)
        if (w.machine == m && o.kind == queue_order_kind::answer && !o.none)
          given = o.entry.order.task;
    REQUIRE(given.job == 1);
    tell(m, event(queue_event_kind::start, given, m, now), now);
    return given;
  }

  catalog machines = even_catalog(4, 1, 1);
  sparrow_survival core;
  std::map<machine_id, std::uint64_t> events;
  std::map<machine_id, std::uint64_t> orders;
  std::uint64_t deliveries = 0;

private:
  incarnation life_;
};

job_delivery left_over(incarnation life, job j, std::vector<std::uint32_t> over = {}) {
  job_delivery d{0, life, 1, true, {}};
  d.jobs.push_back({std::move(j), std::move(over)});
  return d;
}

} // namespace

TEST_CASE("a scheduler reserves on machines that have told that they are there") {
  world w;
  w.core.vouched(0s, 0s);
  w.deliver(slot_job(1, 2), 0s);
  CHECK(w.ordered(0s).empty());
  w.join_all(0s, 3);
  w.decide(1499ms);
  CHECK(w.ordered(1499ms).empty()); // one may still come
  w.decide(1500ms);
  CHECK(w.ordered(1500ms) == std::set<machine_id>{0, 1, 2});
}

TEST_CASE("orders are repeated until they are seen") {
  world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 0s);
  const auto asked = w.ordered(0s);
  CHECK(asked.size() == 2);
  w.core.look_around(999ms);
  CHECK(w.ordered(999ms).empty());
  w.core.look_around(1s);
  CHECK(w.ordered(1s) == asked);
  w.orders[*asked.begin()] = 1;
  w.core.hear(w.beat(*asked.begin(), 1100ms), 1100ms);
  w.core.look_around(2999ms);
  CHECK(w.ordered(2999ms).empty());
  w.core.look_around(3s); // repetitions become rare
  CHECK(w.ordered(3s) == std::set<machine_id>{*asked.rbegin()});
}

TEST_CASE("an order is told alone once earlier ones were told") {
  world w;
  w.join_all(0s);
  for (job_id id = 1; id <= 20; ++id) {
    w.deliver(slot_job(id, 1), 0s);
    for (const auto& word : w.core.words(0s))
      CHECK(word.orders.size() == 1);
  }
}

TEST_CASE("a machine is answered at once only if it asks") {
  world w;
  w.join_all(0s);
  auto b = w.beat(1, 10ms);
  b.busy = true;
  w.core.hear(b, 10ms);
  CHECK(w.core.words(10ms).empty());
  b.asks = true;
  w.core.hear(b, 20ms);
  CHECK(w.core.words(20ms).size() == 1);
  b.asks = false;
  b.events = {w.event(queue_event_kind::length, {}, 1, 30ms)};
  w.core.hear(b, 30ms);
  CHECK(w.core.words(30ms).empty());
  w.core.look_around(500ms);
  const auto words = w.core.words(500ms);
  REQUIRE(words.size() == 1);
  CHECK(words[0].events_heard == 1);
}

TEST_CASE("one sign of life counts for all machines of a process that are in session") {
  world w;
  w.join_all(0s, 3);
  w.deliver(slot_job(1, 3), 2s);
  w.decide(2s);
  CHECK(w.ordered(2s).size() == 3);
  for (instant now = 2s; now <= 8s; now += 500ms) {
    w.watch(now, now);
    const auto lease = w.core.hear(queue_pulse{1, 3, 1, own_id, 1, now - 5ms}, now);
    REQUIRE(lease);
    CHECK(lease->answers == now - 5ms);
    CHECK(lease->first == 1);
    CHECK(lease->life == 1);
    CHECK_FALSE(lease->renews(3)); // it has not joined
    CHECK(lease->renews(1));
    CHECK(lease->renews(2));
  }
  CHECK_FALSE(w.core.in_session(0, 1));
  CHECK(w.core.in_session(1, 1));
  CHECK(w.core.in_session(2, 1));
  // The process is started again: what it had is not there any more.
  const auto lease = w.core.hear(queue_pulse{1, 3, 9, own_id, 1, 8s}, 8s);
  REQUIRE(lease);
  REQUIRE(lease->except.size() == 1);
  CHECK(lease->except[0].first == 1);
  CHECK(lease->except[0].count == 3);
  w.watch(8500ms, 13500ms);
  CHECK_FALSE(w.core.in_session(1, 1));
}

TEST_CASE("a pulse for another life, or without the master, is not answered") {
  world w;
  w.join_all(0s);
  CHECK_FALSE(w.core.hear(queue_pulse{0, 4, 1, own_id, 2, 1s}, 1s));
  CHECK_FALSE(w.core.hear(queue_pulse{0, 4, 1, own_id + 1, 1, 1s}, 1s));
  CHECK(w.core.hear(queue_pulse{0, 4, 1, own_id, 1, 1s}, 1s));
  CHECK(w.core.hear(queue_pulse{0, 400, 1, own_id, 1, 1s}, 1s));
  CHECK_FALSE(w.core.hear(queue_pulse{0, 4, 1, own_id, 1, 10s}, 10s));
}

TEST_CASE("a scheduler that has stood still gives no machine up for what it has not heard") {
  world w;
  w.join_all(0s);
  w.watch(0s, 500ms);
  w.deliver(slot_job(1, 1), 500ms);
  const auto m = *w.ordered(500ms).begin();
  w.run(m, 600ms);
  w.watch(9s, 10s); // it has stood still since
  CHECK(w.core.core().counts().running == 1);
  w.watch(10500ms, 11s);
  CHECK(w.core.core().counts().running == 0);
}

TEST_CASE("what a silent machine had runs elsewhere, but only if nobody can have taken over") {
  world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 0s);
  const auto m = *w.ordered(0s).begin();
  w.run(m, 100ms);
  CHECK(w.core.core().counts().running == 1);
  w.watch(500ms, 5s, false); // without the master
  CHECK(w.core.core().counts().running == 1);
  w.watch(5s, 5s);
  CHECK(w.core.core().counts().running == 0);
  CHECK(w.core.core().counts().queued == 1);
  CHECK(w.ordered(5s).size() >= 1);
  // The machine is told that it has been given up, and comes back with another life.
  w.core.hear(w.beat(m, 6s), 6s);
  const auto words = w.core.words(6s);
  REQUIRE(words.size() == 1);
  CHECK(words[0].life == 2);
  CHECK_FALSE(words[0].renews);
}

TEST_CASE("machines are called some at a time, in turn, if that is asked for") {
  const auto machines = even_catalog(4, 1, 1);
  auto rules = rules_of(1);
  rules.calls = 3;
  sparrow_survival core{rules, own_id, machines, {}, random_stream{1}, 0, 0s};
  const auto called = [&](instant now) {
    core.vouched(now, now);
    core.look_around(now);
    std::vector<machine_id> all;
    for (const auto& w : core.words(now))
      all.push_back(w.machine);
    return all;
  };
  CHECK(called(0s) == std::vector<machine_id>{0, 1, 2});
  CHECK(called(500ms) == std::vector<machine_id>{3, 0, 1});
  queue_beat beat{2, 1, own_id, 1, 600ms};
  beat.joins = true;
  core.hear(beat, 600ms);
  core.words(600ms);
  CHECK(called(1s) == std::vector<machine_id>{3, 0, 1});
}

TEST_CASE("an idle machine may be silent") {
  world w;
  w.join_all(0s);
  w.core.vouched(20s, 20s);
  w.core.look_around(20s);
  w.deliver(slot_job(1, 4), 20s);
  CHECK(w.ordered(20s).size() == 4);
}

TEST_CASE("a machine that comes with another life has lost what it had") {
  world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 0s);
  const auto m = *w.ordered(0s).begin();
  w.run(m, 100ms);
  w.core.hear(w.joining(m, 200ms, 7), 5s); // nobody knows whether it may be heard
  CHECK(w.core.core().counts().running == 1);
  w.core.vouched(5s, 5s);
  w.core.hear(w.joining(m, 5s, 7), 5s);
  CHECK(w.core.core().counts().running == 0);
  CHECK(w.core.core().counts().queued == 1);
}

TEST_CASE("a task is given up after its retries") {
  world w{1, 1};
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 0s);
  for (incarnation life = 2; life < 4; ++life) {
    auto m = w.ordered(0s);
    REQUIRE_FALSE(m.empty());
    w.run(*m.begin(), 100ms);
    CHECK(w.core.core().counts().lost == 0);
    w.events[*m.begin()] = 0;
    w.core.hear(w.joining(*m.begin(), 100ms, life * 10), 100ms);
  }
  CHECK(w.core.core().counts().lost == 1);
  CHECK(w.core.idle());
  REQUIRE(w.core.news(200ms).size() == 1);
}

TEST_CASE("an end may be forgotten once the job store knows of it") {
  world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 0s);
  const auto m = *w.ordered(0s).begin();
  const auto task = w.run(m, 100ms);
  w.tell(m, w.event(queue_event_kind::end, task, m, 200ms), 200ms);
  CHECK(w.core.core().counts().finished == 1);
  const auto told = [&](instant now) {
    w.core.look_around(now);
    for (const auto& word : w.core.words(now))
      if (word.machine == m)
        return std::optional{word.ends_done};
    return std::optional<std::uint64_t>{};
  };
  CHECK(told(200ms) == 0);
  const auto news = w.core.news(200ms);
  REQUIRE(news.size() == 1);
  CHECK(news[0].second.first == 1);
  CHECK(news[0].second.over == std::vector<task_id>{task});
  w.core.confirm({0, 1, 1}, 300ms);
  CHECK(told(300ms) == 1);
  CHECK_FALSE(told(400ms));
}

TEST_CASE("a new life waits for every machine before it runs what is left") {
  world w{2};
  w.core.vouched(0s, 0s);
  w.core.deliver(left_over(2, slot_job(1, 3), {0}), 0s);
  for (machine_id m = 0; m < 3; ++m) {
    auto b = w.joining(m, 0s);
    if (m == 1)
      b.running = {{1, 1}};
    w.core.hear(b, 0s);
  }
  CHECK(w.core.taking_over());
  CHECK(w.core.core().counts().submitted == 0);
  w.core.hear(w.joining(3, 10ms), 10ms);
  CHECK_FALSE(w.core.taking_over());
  CHECK(w.core.core().counts().running == 1);
  CHECK(w.core.core().counts().queued == 1);
  w.tell(1, w.event(queue_event_kind::end, {1, 1}, 1, 20ms), 20ms);
  CHECK(w.core.core().counts().finished == 1);
}

TEST_CASE("a new life does without machines that must have stopped") {
  world w{2};
  w.core.vouched(0s, 0s);
  w.core.deliver(left_over(2, slot_job(1, 1)), 0s);
  for (machine_id m = 0; m < 3; ++m)
    w.core.hear(w.joining(m, 0s), 0s);
  w.core.look_around(9499ms);
  CHECK(w.core.taking_over());
  w.core.look_around(9500ms); // 8 s of the earlier life and 1.5 s of the machine
  CHECK_FALSE(w.core.taking_over());
  // What comes later with something cannot be waited for any more.
  w.core.vouched(9600ms, 9600ms);
  w.core.words(9600ms);
  auto late = w.joining(3, 9600ms);
  late.running = {{1, 0}};
  w.core.hear(late, 9600ms);
  const auto words = w.core.words(9600ms);
  REQUIRE(words.size() == 1);
  CHECK(words[0].machine == 3);
  CHECK(words[0].life == 2);
  CHECK_FALSE(words[0].renews);
}

TEST_CASE("ends that were told to an earlier life count, and so do those of tasks it has left") {
  world w{2};
  w.core.vouched(0s, 0s);
  for (machine_id m = 0; m < 4; ++m) {
    auto b = w.joining(m, 0s);
    if (m == 0)
      b.ended = {{1, own_id, {{1, 0}, 0, task_outcome::finished, 0s}}};
    if (m == 2)
      b.running = {{1, 1}};
    w.core.hear(b, 0s);
  }
  w.tell(2, w.event(queue_event_kind::end, {1, 1}, 2, 5ms), 5ms);
  w.core.deliver(left_over(2, slot_job(1, 2)), 10ms);
  CHECK_FALSE(w.core.taking_over());
  CHECK(w.core.core().counts().finished == 2);
  CHECK(w.core.core().unknown_news() == 0);
  CHECK(w.core.idle());
}

TEST_CASE("a scheduler says nothing when its lease has run out, and ends when it is replaced") {
  world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 9999ms);
  CHECK_FALSE(w.ordered(9999ms).empty());
  w.core.look_around(10499ms);
  CHECK(w.core.words(10499ms).empty());
  auto b = w.beat(0, 10500ms);
  b.scheduler_life = 2;
  CHECK_FALSE(w.core.hear(b, 10500ms));
}

TEST_CASE("a machine that leaves finishes what it runs and is given nothing more") {
  world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 0s);
  const auto m = *w.ordered(0s).begin();
  const auto task = w.run(m, 100ms);
  auto leaving = w.beat(m, 200ms);
  leaving.busy = leaving.leaves = true;
  w.core.hear(leaving, 200ms);
  CHECK(w.core.core().counts().running == 1);
  w.core.words(200ms);
  for (job_id id = 2; id < 30; ++id)
    w.deliver(slot_job(id, 1), 300ms);
  CHECK_FALSE(w.ordered(300ms).contains(m));
  w.tell(m, w.event(queue_event_kind::end, task, m, 400ms), 400ms);
  CHECK(w.core.core().counts().running == 0);
  CHECK(w.core.core().counts().finished == 1);
}

TEST_CASE("what is reserved on a machine that leaves is reserved elsewhere") {
  world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 2), 0s); // on all four
  CHECK(w.ordered(0s).size() == 4);
  w.deliver(slot_job(2, 1), 0s); // on two
  const auto reserved = w.ordered(0s);
  for (const auto m : reserved) {
    auto leaving = w.beat(m, 100ms);
    leaving.leaves = true;
    w.core.hear(leaving, 100ms);
  }
  const auto now = w.ordered(100ms);
  CHECK(std::ranges::any_of(now, [&](machine_id m) { return !reserved.contains(m); }));
  // It asks for a task all the same, for the reservation that it still has, and gets none.
  const auto m = *reserved.begin();
  w.tell(m, w.event(queue_event_kind::request, {2, 0}, m, 200ms), 200ms);
  for (const auto& word : w.core.words(200ms))
    for (const auto& o : word.orders)
      if (word.machine == m && o.kind == queue_order_kind::answer)
        CHECK(o.none);
}

TEST_CASE("a machine that leaves and dies has lost what it had") {
  world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 0s);
  const auto m = *w.ordered(0s).begin();
  w.run(m, 100ms);
  auto leaving = w.beat(m, 200ms);
  leaving.busy = leaving.leaves = true;
  w.core.hear(leaving, 200ms);
  w.watch(500ms, 5s);
  CHECK(w.core.core().counts().running == 0);
  CHECK(w.core.core().counts().queued == 1);
  // Started again, it takes part as before.
  w.core.hear(w.joining(m, 6s, 9), 6s);
  w.events[m] = 0;
  CHECK(w.core.words(6s).size() >= 1);
}
