#include "actors/fake_executor.hpp"
#include "actors/queue/queue_server.hpp"
#include "actors/queue/work_stealing.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace troupe;
using namespace troupe::testing;
using troupe::test::fake_executor;
using namespace std::chrono_literals;

namespace {

/// Keeps what schedulers are told.
struct fake_listener final : queue_listener {
  bool may_start(scheduler_id scheduler, instant) const override { return scheduler != closed; }
  void started(scheduler_id, const task_start& what) override { starts.push_back(what.task); }
  void tell(scheduler_id, const get_task_request& what) override { asked.push_back(what.job); }
  void tell(scheduler_id, const probe_answer& what) override { lengths.push_back(what.length); }

  scheduler_id closed = 9;
  std::vector<task_id> starts;
  std::vector<job_id> asked;
  std::vector<std::int32_t> lengths;
};

/// Machine 0 of one, with two slots.
struct queue_server_fixture {
  std::shared_ptr<fake_executor> executor = std::make_shared<fake_executor>();
  catalog machines = even_catalog(1, 1, 2);
  queue_rules rules{
    executor, queue_discipline::fifo, {}, std::make_shared<queue_meter>(machines, 1)};
  queue_server subject{0, resources::of_slots(2), rules};
  fake_listener heard;

  static queue_entry entry(entry_kind kind, job_id job, scheduler_id scheduler = 0) {
    queue_entry e;
    e.kind = kind;
    e.order = {{job, 0}, scheduler, one_slot, 5s};
    return e;
  }

  bool obey(queue_entry e, instant now = 0s) { return subject.obey(e, heard, now); }
  double used_seconds(instant now) { return rules.meter->counts(now).used_seconds; }
};

} // namespace

TEST_CASE_FIXTURE(queue_server_fixture, "schedulers hear of starts, and owners of none") {
  CHECK_FALSE(obey(entry(entry_kind::task, 1)));
  obey(entry(entry_kind::granted, 2));
  CHECK(subject.core().running() == std::vector<task_id>{{1, 0}, {2, 0}});
  CHECK(heard.starts == std::vector<task_id>{{1, 0}});
}

TEST_CASE_FIXTURE(queue_server_fixture, "a task that may not start blocks those behind it") {
  heard.closed = 1;
  obey(entry(entry_kind::task, 1, 1));
  obey(entry(entry_kind::task, 2));
  CHECK(executor->running.empty());
  heard.closed = 9;
  subject.serve(heard, 1s);
  CHECK(heard.starts == std::vector<task_id>{{1, 0}, {2, 0}});
}

TEST_CASE_FIXTURE(queue_server_fixture, "an answer without a task has freed what was held") {
  obey(entry(entry_kind::reservation, 1));
  CHECK(heard.asked == std::vector<job_id>{1});
  CHECK(subject.obey(task_assignment{true, 0, {{1, 0}, 0, {}, {}}}, heard, 0s));
  obey(entry(entry_kind::reservation, 2));
  CHECK_FALSE(subject.obey(task_assignment{false, 0, {{2, 0}, 0, one_slot, 5s}}, heard, 0s));
}

TEST_CASE_FIXTURE(queue_server_fixture,
                  "an answer that cancels takes the job's reservations off first") {
  for (int i = 0; i < 3; ++i) // there is room for two
    obey(entry(entry_kind::reservation, 1));
  obey(entry(entry_kind::reservation, 2));
  CHECK(heard.asked == std::vector<job_id>{1, 1});
  task_assignment answer{true, 0, {{1, 0}, 0, {}, {}}};
  answer.cancels = true;
  CHECK(subject.obey(answer, heard, 0s));
  CHECK(heard.asked == std::vector<job_id>{1, 1, 2});
}

TEST_CASE_FIXTURE(queue_server_fixture, "what one scheduler runs can be killed") {
  obey(entry(entry_kind::task, 1, 0));
  obey(entry(entry_kind::task, 2, 1));
  subject.kill_all(0, 2s);
  CHECK(subject.core().running() == std::vector<task_id>{{2, 0}});
  CHECK(executor->running.size() == 1);
  CHECK(used_seconds(4s) == doctest::Approx((2 * 2 + 2) / 2.0));
}

TEST_CASE_FIXTURE(queue_server_fixture, "a machine that has died uses nothing") {
  obey(entry(entry_kind::task, 1));
  obey(entry(entry_kind::granted, 2));
  subject.died(3s);
  CHECK(used_seconds(9s) == doctest::Approx(3));
}

TEST_CASE("an idle machine asks others, one at a time, until it is given something") {
  work_stealing stealing{random_stream{1}};
  CHECK_FALSE(stealing.may_ask());
  std::set<machine_id> asked;
  for (int i = 0; i < 50; ++i) {
    stealing.restart(2);
    const auto first = stealing.ask(1, 3);
    REQUIRE(first);
    asked.insert(*first);
    CHECK_FALSE(stealing.may_ask());
    stealing.answered(false);
    CHECK(stealing.may_ask());
    stealing.ask(1, 3);
    stealing.answered(false);
    CHECK_FALSE(stealing.may_ask());
  }
  CHECK(asked == std::set<machine_id>{0, 2});
  stealing.restart(2);
  stealing.ask(1, 3);
  stealing.answered(true);
  CHECK_FALSE(stealing.may_ask());
  stealing.restart(2);
  CHECK_FALSE(stealing.ask(0, 1)); // there is no other
}

namespace {

/// The same machine with a window from 10 s until 20 s, which tenant 5 may use.
struct windows_fixture : queue_server_fixture {
  windows_fixture() {
    rules.windows = std::make_shared<const machine_windows>(
      std::vector<machine_window>{{10s, 20s, 5, {0}}}, 2, nullptr);
    subject = queue_server{0, resources::of_slots(2), rules};
  }

  static queue_entry of(entry_kind kind, job_id job, duration estimate, std::uint32_t tenant = 0) {
    auto e = entry(kind, job);
    e.order.estimate = estimate;
    e.tenant = tenant;
    return e;
  }

  void serve(instant now) { subject.serve(heard, now); }
};

} // namespace

TEST_CASE_FIXTURE(windows_fixture, "a task that a window keeps away waits for its end") {
  obey(of(entry_kind::task, 1, 30s), 1s);
  obey(of(entry_kind::granted, 2, 0s), 1s);
  obey(of(entry_kind::task, 3, 0s, 5), 1s); // the window is its tenant's
  obey(of(entry_kind::task, 4, 5s), 1s);
  CHECK(subject.core().running() == std::vector<task_id>{{3, 0}, {4, 0}});
  CHECK(subject.core().waiting() == 2);
  CHECK(subject.opens(1s) == 20s);
  CHECK(subject.ended(subject.core().tasks()[0].run, 6s));
  CHECK(subject.ended(subject.core().tasks()[0].run, 6s));
  serve(6s);
  serve(19s);
  CHECK(subject.core().running().empty());
  serve(20s);
  CHECK(subject.core().running() == std::vector<task_id>{{1, 0}, {2, 0}});
  CHECK(subject.opens(20s) == instant::max());
}

TEST_CASE_FIXTURE(windows_fixture, "a task that an owner grants is kept away by its tenant") {
  CHECK(subject.take(of(entry_kind::granted, 1, 1s).order, 0, heard, 15s));
  CHECK(subject.take(of(entry_kind::granted, 2, 1s).order, 5, heard, 15s));
  CHECK(subject.core().running() == std::vector<task_id>{{2, 0}});
}

TEST_CASE_FIXTURE(windows_fixture, "a reservation for which there is no time goes back") {
  obey(of(entry_kind::task, 7, 9s), 0s);
  obey(of(entry_kind::task, 8, 9s), 0s);
  obey(of(entry_kind::reservation, 1, 4s), 0s);
  obey(of(entry_kind::reservation, 2, 2s), 0s);
  obey(of(entry_kind::reservation, 3, 4s, 5), 0s);
  CHECK(heard.asked.empty());
  serve(7s); // both tasks run
  CHECK(heard.asked == std::vector<job_id>{1});
  CHECK(subject.core().waiting() == 2);
  // Nothing is held for it, and no task has come of it.
  subject.obey(task_assignment{true, 0, of(entry_kind::task, 1, 4s).order}, heard, 7s);
  CHECK(subject.core().running().size() == 2);
  // One that is given a task all the same lets it wait.
  serve(9s);
  CHECK(heard.asked == std::vector<job_id>{1, 2});
  CHECK(subject.ended(subject.core().tasks()[0].run, 9s));
  task_assignment late{false, 0, of(entry_kind::task, 2, 9s).order};
  subject.obey(late, heard, 9s);
  CHECK(subject.core().find({2, 0}) == nullptr);
  CHECK(heard.asked == std::vector<job_id>{1, 2, 3});
  CHECK(subject.core().waiting() == 1);
  CHECK(subject.ended(subject.core().tasks()[0].run, 20s));
  serve(20s);
  CHECK(subject.core().find({2, 0}) != nullptr);
}

TEST_CASE_FIXTURE(windows_fixture, "what is late by little starts all the same") {
  obey(of(entry_kind::reservation, 1, 5s), 5s);
  CHECK(heard.asked == std::vector<job_id>{1});
  subject.obey(task_assignment{false, 0, of(entry_kind::task, 1, 5s).order}, heard, 6s);
  CHECK(subject.core().running() == std::vector<task_id>{{1, 0}});
}

TEST_CASE_FIXTURE(windows_fixture,
                  "a machine that asks for work gets what its windows have time for") {
  rules.windows = std::make_shared<const machine_windows>(
    std::vector<machine_window>{{10s, 20s, {}, {1}}}, 2, nullptr);
  subject = queue_server{0, resources::of_slots(2), rules};
  obey(entry(entry_kind::granted, 9), 0s);
  obey(entry(entry_kind::granted, 10), 0s);
  obey(of(entry_kind::reservation, 1, 30s), 0s);
  obey(of(entry_kind::reservation, 2, 3s), 0s);
  const auto given = subject.give_away(1, 5s);
  REQUIRE(given.size() == 1);
  CHECK(given[0].order.task.job == 2);
  CHECK(subject.core().waiting() == 1);
}
