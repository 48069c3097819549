#include "actors/plugin/queue_plugin_core.hpp"
#include "policies/policy_trial.hpp"

#include <doctest/doctest.h>

#include <chrono>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

constexpr instant first_second{1s};
constexpr scheduler_id prober_id = 3;

job queue_job(std::uint32_t tasks, std::uint32_t later_tasks = 0) {
  job j;
  j.id = 1;
  j.groups.push_back({tasks, resources::of_slots(1), {1s}});
  if (later_tasks > 0)
    j.groups.push_back({later_tasks, resources::of_slots(1), {2s}, {}, 0, {0}});
  return j;
}

queue_entry entry_of(entry_kind kind, const task_id& task) {
  queue_entry entry{kind, {}, 0, 0, 0, 0};
  entry.order.task = task;
  entry.order.launcher = prober_id;
  entry.order.demand = resources::of_slots(1);
  return entry;
}

/// Four machines of two slots, and a plugin that is told of them.
struct queue_stage {
  catalog machines = slot_machines(4, 2, 2);
  queue_plugin_core core{{prober_id}, machines};
  sparrow_outbox out;
  std::vector<queue_plugin_core::plugin_message> told;

  explicit queue_stage(std::uint32_t retries = 0, machine_id there = 4) {
    core.watch_failures(retries, instant{0});
    for (machine_id m = 0; m < there; ++m)
      core.restore(m, out, nullptr);
  }

  void begin(job j) {
    core.begin();
    core.submit({std::move(j)});
    listen();
    for (machine_id m = 0; m < 4; ++m)
      hear(m, 1);
  }

  void listen() { told = core.take_told(); }

  /// Returns the messages of one type among those that were told last.
  template <class Message>
  std::vector<Message> heard() const {
    std::vector<Message> all;
    for (const auto& m : told)
      if (const auto* one = std::get_if<Message>(&m))
        all.push_back(*one);
    return all;
  }

  std::vector<task_end> ends() const {
    std::vector<task_end> all;
    for (const auto& n : heard<task_news>())
      all.insert(all.end(), n.ended.begin(), n.ended.end());
    return all;
  }

  /// The plugin sends something to a machine.
  template <class Message>
  void send(machine_id machine, const Message& what) {
    REQUIRE(core.fault_of(machine, what) == "");
    core.order(machine, what, first_second, out);
    listen();
  }

  void send_task(machine_id machine, const task_id& task) {
    send(machine, entry_of(entry_kind::task, task));
  }

  void hear(machine_id machine, std::uint32_t number) {
    core.order(machine, capacity_heard{prober_id, number}, first_second, out);
    listen();
  }

  void start(const task_id& task, machine_id machine) {
    core.book({{{task, machine, first_second}}, {}}, out);
    listen();
  }

  void end(const task_id& task, machine_id machine, task_outcome how = task_outcome::finished) {
    core.book({{}, {{task, machine, how, first_second}}}, out);
    listen();
  }

  void lose(machine_id machine) {
    core.remove(machine, first_second, out);
    listen();
  }

  std::vector<queue_entry> entries_to(machine_id machine) {
    std::vector<queue_entry> all;
    for (const auto& [m, e] : out.entries)
      if (m == machine)
        all.push_back(e);
    return all;
  }
};

task_assignment handing_out(const get_task_request& request, const task_id& task) {
  task_assignment answer{false, request.group, {}};
  answer.order.task = task;
  answer.order.launcher = prober_id;
  answer.order.demand = resources::of_slots(1);
  return answer;
}

} // namespace

TEST_CASE("a plugin is told of machines that are not there, and then of jobs") {
  queue_stage s{0, 3};
  s.core.submit({queue_job(1)});
  s.listen();
  CHECK(s.told.empty());
  s.core.begin();
  s.listen();
  REQUIRE(s.told.size() == 2);
  const auto* notice = std::get_if<capacity_notice>(&s.told[0]);
  REQUIRE(notice != nullptr);
  CHECK(notice->machine == 3);
  CHECK(notice->capacity.is_zero());
  CHECK(std::get<submission>(s.told[1]).jobs.size() == 1);
}

TEST_CASE("a task that was sent to a queue starts and ends") {
  queue_stage s;
  s.begin(queue_job(2));
  s.send_task(0, {1, 0});
  CHECK(s.entries_to(0).size() == 1);
  CHECK(s.core.counts().in_commit == 1);
  s.start({1, 0}, 0);
  REQUIRE(s.heard<task_news>().size() == 1);
  CHECK(s.heard<task_news>()[0].started.size() == 1);
  CHECK(s.core.counts().running == 1);
  CHECK(s.core.may_run({1, 0}, 0));
  s.end({1, 0}, 0);
  CHECK(s.ends().size() == 1);
  CHECK(s.out.over == std::vector{std::pair{task_id{1, 0}, task_fate::finished}});
  CHECK_FALSE(s.core.idle());
  CHECK(s.core.unknown_news() == 0);
  s.end({1, 0}, 0);
  CHECK(s.core.unknown_news() == 1);
}

TEST_CASE("a plugin hands out a task when a machine asks, and once for each request") {
  queue_stage s;
  s.begin(queue_job(2));
  s.send(2, entry_of(entry_kind::reservation, {1, 0}));
  s.core.asked({1, 0, 2, 2, -1}, s.out);
  s.listen();
  REQUIRE(s.heard<get_task_request>().size() == 1);
  const auto answer = handing_out(s.heard<get_task_request>()[0], {1, 1});
  s.send(2, answer);
  REQUIRE(s.out.assignments.size() == 1);
  CHECK(s.out.assignments[0].second.order.task == task_id{1, 1});
  CHECK(s.core.fault_of(2, answer) ==
        "answers machine 2, which has not asked for a task of group 0 of job 1");
}

TEST_CASE("tasks of a machine that is given up are lost or taken back, and it returns") {
  queue_stage s;
  s.begin(queue_job(3));
  s.send_task(0, {1, 0});
  s.send_task(0, {1, 1});
  s.start({1, 0}, 0);
  s.lose(0);
  REQUIRE(s.ends().size() == 1);
  CHECK(s.ends()[0].outcome == task_outcome::lost);
  REQUIRE(s.heard<capacity_notice>().size() == 1);
  CHECK(s.heard<capacity_notice>()[0].capacity.is_zero());
  CHECK(s.core.counts().in_commit == 1); // until the plugin has heard
  s.core.restore(0, s.out, nullptr);
  s.listen();
  REQUIRE(s.heard<capacity_notice>().size() == 1);
  // The plugin sends this before it has heard that the machine was gone.
  CHECK(s.core.is_void(0));
  s.hear(0, 1);
  CHECK_FALSE(s.core.is_void(0));
  CHECK(s.core.counts().in_commit == 0);
  CHECK(s.core.counts().queued == 3);
  CHECK(s.core.fault_of(0, entry_of(entry_kind::task, {1, 0})) ==
        "sends task 1.0 to machine 0, which has nothing; it asks for slots 1");
  s.hear(0, 2);
  s.out.clear();
  s.send_task(0, {1, 0});
  CHECK(s.entries_to(0).size() == 1);
}

TEST_CASE("a task that was lost too often ends as failed") {
  queue_stage s{1};
  s.begin(queue_job(1));
  for (const machine_id m : {0, 1}) {
    s.send_task(m, {1, 0});
    s.start({1, 0}, m);
    s.lose(m);
    s.hear(m, 1);
  }
  REQUIRE(s.core.idle());
  CHECK(s.core.counts().lost == 1);
  CHECK(s.out.over.back().second == task_fate::lost);
}

TEST_CASE("what does not fit after a change is queued with the plugin again once it has heard") {
  queue_stage s;
  s.begin(queue_job(2));
  s.send_task(0, {1, 0});
  s.core.set_capacity({0, {}, 7}, s.out);
  s.listen();
  CHECK(s.out.heard.empty());
  s.send_task(0, {1, 1}); // it has not heard: the machine drops it
  s.hear(0, 1);
  CHECK(s.core.counts().queued == 2);
  REQUIRE(s.out.heard.size() == 1);
  CHECK(s.out.heard[0].second.number == 7);
}

TEST_CASE("a machine that is to be drained starts what it has before it has nothing more") {
  queue_stage s;
  s.begin(queue_job(3));
  s.send_task(0, {1, 0});
  s.core.retire(0, s.out);
  s.listen();
  CHECK(s.told.empty());
  s.out.clear();
  s.send_task(0, {1, 1});
  CHECK(s.out.entries.empty());
  s.core.asked({1, 0, 0, 0, -1}, s.out);
  REQUIRE(s.out.assignments.size() == 1);
  CHECK(s.out.assignments[0].second.none);
  s.start({1, 0}, 0);
  REQUIRE(s.heard<capacity_notice>().size() == 1);
  CHECK(s.heard<capacity_notice>()[0].capacity.is_zero());
  s.hear(0, 1);
  CHECK(s.core.counts().queued == 2);
  CHECK(s.core.counts().running == 1);
  s.end({1, 0}, 0);
  CHECK(s.core.counts().finished == 1);
}

TEST_CASE("a plugin is given the open tasks of an earlier incarnation as jobs of their own") {
  queue_stage s;
  s.core.begin();
  kept_job left{queue_job(3), {0}};
  s.core.resume(left, {{{1, 1}, 2}});
  s.listen();
  REQUIRE(s.heard<submission>().size() == 1);
  const auto part = s.heard<submission>()[0].jobs.at(0);
  CHECK(part.task_count() == 1);
  CHECK(part.id != 1);
  CHECK(s.core.may_run({1, 1}, 2));
  // The machine knows the job by its number in the cluster.
  s.send(1, entry_of(entry_kind::reservation, {part.id, 0}));
  REQUIRE(s.entries_to(1).size() == 1);
  const auto placed = s.entries_to(1)[0];
  CHECK(placed.order.task.job == 1);
  s.core.asked({1, placed.group, 1, 1, -1}, s.out);
  s.listen();
  REQUIRE(s.heard<get_task_request>().size() == 1);
  const auto request = s.heard<get_task_request>()[0];
  CHECK(request.job == part.id);
  s.send(1, handing_out(request, {part.id, 0}));
  REQUIRE(s.out.assignments.size() == 1);
  CHECK(s.out.assignments[0].second.order.task == task_id{1, 2});
  CHECK(s.out.assignments[0].second.group == placed.group);
  // A cancellation would reach the reservations of other parts of the job.
  s.send(1, cancellation{prober_id, part.id});
  CHECK(s.out.cancellations.empty());
  s.start({1, 2}, 1);
  s.end({1, 2}, 1);
  CHECK(s.ends().at(0).task == task_id{part.id, 0});
  // The plugin does not hear of a task that it was not given, until it is lost.
  s.end({1, 1}, 2, task_outcome::lost);
  CHECK(s.ends().empty());
  REQUIRE(s.heard<submission>().size() == 1);
  CHECK(s.heard<submission>()[0].jobs.at(0).task_count() == 1);
}

TEST_CASE("a group that waits for others is given to a plugin when these are over") {
  queue_stage s;
  s.core.begin();
  s.core.submit({queue_job(1, 2)});
  s.listen();
  const auto part = s.heard<submission>().at(0).jobs.at(0);
  CHECK(part.task_count() == 1);
  s.send_task(0, {part.id, 0});
  s.start({1, 0}, 0);
  s.end({1, 0}, 0);
  REQUIRE(s.heard<submission>().size() == 1);
  CHECK(s.heard<submission>()[0].jobs.at(0).task_count() == 2);
}

TEST_CASE("a reservation that another machine takes over is placed there for the plugin") {
  queue_stage s;
  s.begin(queue_job(2));
  s.send(0, entry_of(entry_kind::reservation, {1, 0}));
  s.out.clear();
  s.core.move({1, 1, 0, 0, -2}, 0, s.out);
  REQUIRE(s.entries_to(1).size() == 1);
  CHECK(s.entries_to(1)[0].placed_on == 0);
  CHECK(s.entries_to(1)[0].order.demand == resources::of_slots(1));
  s.out.clear();
  s.lose(1);
  CHECK(s.entries_to(0).size() == 1); // where it is for the plugin
  s.out.clear();
  s.core.move({1, 1, 0, 0, -2}, 0, s.out);
  CHECK(s.entries_to(0).size() == 1); // the other one is gone
}

TEST_CASE("a reservation is given back by a machine that has no room for it any more") {
  queue_stage s;
  s.begin(queue_job(2));
  s.send(0, entry_of(entry_kind::reservation, {1, 0}));
  s.core.move({1, 1, 0, 0, -2}, 0, s.out);
  s.core.set_capacity({1, {}, 5}, s.out);
  s.listen();
  s.out.clear();
  s.hear(1, s.heard<capacity_notice>().at(0).number);
  CHECK(s.out.heard.size() == 1);
  CHECK(s.entries_to(0).size() == 1); // where it is for the plugin
}

TEST_CASE("mistakes of a plugin are named") {
  queue_stage s;
  s.begin(queue_job(2));
  const auto fault = [&](const auto& change) {
    auto entry = entry_of(entry_kind::task, {1, 0});
    change(entry);
    return s.core.fault_of(0, entry);
  };
  CHECK(fault([](auto&) {}) == "");
  CHECK(fault([](auto& e) { e.order.launcher = 77; }) ==
        "sends an entry in the name of scheduler 77");
  CHECK(fault([](auto& e) { e.order.task.index = 9; }) ==
        "sends task 1.9 to machine 0, which it was not given, or which is over");
  CHECK(fault([](auto& e) { e.order.demand = resources::of_slots(2); }) ==
        "sends task 1.0 to machine 0 with a demand of slots 2; it asks for slots 1");
  CHECK(fault([](auto& e) { e.order.demand = resources::of_slots(3); }) ==
        "sends task 1.0 to machine 0, which has slots 2; it asks for slots 3");
  CHECK(fault([](auto& e) { e.kind = entry_kind::granted; }) ==
        "sends task 1.0 to machine 0 as if an owner had granted it");
  s.send_task(1, {1, 0});
  CHECK(fault([](auto&) {}) ==
        "sends task 1.0 to machine 0 a second time: it was sent to machine 1");
  CHECK(s.core.fault_of(0, capacity_heard{prober_id, 4}) ==
        "has heard notice 4 of machine 0, and there were 0 only");
  CHECK(s.core.fault_of(0, queue_probe{1, 0, 0, {}}) == "sends a probe in the name of scheduler 1");
}

TEST_CASE("what a plugin has given up is over") {
  queue_stage s;
  s.begin(queue_job(2));
  CHECK(s.core.abandon_queued(0, 1, first_second, s.out) == 0);
  CHECK(s.core.abandon_queued(0, 2, first_second, s.out) == 2);
  CHECK(s.core.idle());
  CHECK(s.core.counts().abandoned == 2);
}
