#include "actors/plugin/scheduler_check.hpp"
#include "plugins/libraries.hpp"
#include "policies/policy_trial.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;

namespace {

std::string scheduler_fault(const std::string& name) {
  return failure({"scheduler.actor=faulty", "scheduler.faulty.fault=" + name});
}

commit_request commit(commit_id id, std::vector<placement> placements) {
  commit_request request;
  request.scheduler = 3;
  request.id = id;
  request.placements = std::move(placements);
  return request;
}

placement one_slot_on(machine_id machine, std::uint32_t index) {
  placement p;
  p.task = {1, index};
  p.machine = machine;
  p.demand = resources::of_slots(1);
  return p;
}

struct checked {
  std::vector<std::string> faults;
  scheduler_check check{3,
                        std::make_shared<const catalog>(slot_machines(4, 2, 2)),
                        {0, 1},
                        "plugin 'x'",
                        [this](const std::string& what) { faults.push_back(what); }};

  checked() {
    job j;
    j.id = 1;
    j.groups.push_back({3, resources::of_slots(1), {std::chrono::seconds{1}}});
    check.submitted({{j}});
  }
};

} // namespace

TEST_CASE("a plugin's scheduler that makes no mistakes runs behind its checks") {
  CHECK(scheduler_fault("none") == "");
  const auto first = try_cluster(tiny_cluster, with_faulty({"scheduler.actor=faulty"}));
  CHECK(failed_checks(first).empty());
  CHECK(tasks_of(first).finished == tasks_of(first).submitted);
  CHECK(tasks_of(first).finished > 100);
  CHECK(first.policy == "faulty");
  const auto again = try_cluster(tiny_cluster, with_faulty({"scheduler.actor=faulty"}));
  CHECK(results_text(first) == results_text(again));
}

TEST_CASE("a mistake of a plugin's scheduler ends the run with its name and the call") {
  struct mistake {
    const char* fault;
    const char* complaint;
  };
  const mistake mistakes[] = {
    {"unknown-machine", " on machine 27, and there are machines 0 to 19 only"},
    {"twice", " a second time: it is committed already on machine "},
    {"other-owner", "; it belongs to owner "},
    {"other-demand", " with a demand of slots 1000; it asks for slots 1"},
    {"unknown-task", ", which it was not given, or which is over"},
    {"other-scheduler", " commits in the name of scheduler 77"},
    {"same-number", ", and has said that it was answered; expected a higher number"},
    {"launches", " to launch commit 999, which holds nothing"},
    {"throws", " has ended: "},
    {"throws", "this is too much"},
    {"quits", " has ended: "},
    {"spawn-throws", "spawn() threw: there is no stage"},
    {"no-actor", "spawn() returned no actor"},
  };
  for (const auto& [name, complaint] : mistakes) {
    const auto message = scheduler_fault(name);
    CAPTURE(name);
    CAPTURE(message);
    CHECK(message.starts_with("plugin 'faulty' (" + library("faulty_scheduler") + "): "));
    CHECK(message.find(complaint) != std::string::npos);
  }
}

TEST_CASE("a plugin's scheduler that places a task before those it waits for ends the run") {
  const std::vector<std::string> chains{"workload.stages=3", "workload.tasks_per_job.value=3"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), chains.begin(), chains.end());
    return failure(more);
  };
  CHECK(with({"scheduler.actor=faulty"}) == "");
  const auto message = with({"scheduler.actor=faulty", "scheduler.faulty.fault=hurries"});
  CAPTURE(message);
  CHECK(message.find(" is over, for which it waits: that one is on machine ") != std::string::npos);
  // Where failures are watched it is given each stage once the one before it is over.
  CHECK(with({"scheduler.actor=faulty", "scheduler.faulty.fault=hurries", "failures.watch=on"}) ==
        "");
}

TEST_CASE("a plugin's scheduler takes no offers, and is told so before the run starts") {
  const auto message = failure({"scheduler.actor=faulty", "architecture=two-level"});
  CHECK(message.find("a scheduler from a plugin takes no offers") != std::string::npos);
}

TEST_CASE_FIXTURE(checked, "a task may be committed again once it was refused or lost") {
  CHECK(check.admits(0, commit(1, {one_slot_on(0, 0), one_slot_on(1, 1)})));
  CHECK(check.admits(0, commit(1, {one_slot_on(0, 0), one_slot_on(1, 1)}))); // sent again
  commit_reply reply;
  reply.id = 1;
  reply.rejections.emplace_back().index = 1;
  check.answered(reply);
  CHECK(check.admits(1, commit(2, {one_slot_on(2, 1)})));
  check.reported({0, 1, {{{1, 0}, 0, task_outcome::lost}}});
  CHECK(check.admits(1, commit(3, {one_slot_on(3, 0)})));
  CHECK(faults.empty());
}

TEST_CASE_FIXTURE(checked, "a task that runs, or is over, may not be committed again") {
  CHECK(check.admits(0, commit(1, {one_slot_on(0, 0)})));
  commit_reply reply;
  reply.id = 1;
  check.answered(reply);
  CHECK_FALSE(check.admits(1, commit(2, {one_slot_on(2, 0)})));
  CHECK(faults == std::vector<std::string>{"plugin 'x': scheduler 3 commits task 1.0 a second "
                                           "time: it runs on machine 0"});
  CHECK_FALSE(check.admits(1, commit(3, {one_slot_on(2, 1)}))); // nothing passes any more
  CHECK(faults.size() == 1);
}

TEST_CASE_FIXTURE(checked, "a task that has started twice in queues is noticed") {
  check.heard({{{{1, 0}, 0}}, {}});
  CHECK(faults.empty());
  check.heard({{{{1, 0}, 1}}, {}});
  CHECK(faults.size() == 1);
  CHECK(faults.front().find("has started task 1.0 on machine 1 a second time") !=
        std::string::npos);
}

TEST_CASE_FIXTURE(checked, "a commit may be sent again as it was until its answer was heard") {
  const auto first = commit(1, {one_slot_on(0, 0)});
  CHECK(check.admits(0, first));
  CHECK(check.admits(0, commit(4, {one_slot_on(1, 1)})));
  CHECK(check.admits(0, first));
  check.answered({0, 1, {}});
  auto again = first; // the answer may be on its way
  again.reports_seen = 5;
  CHECK(check.admits(0, again));
  CHECK(faults.empty());
  auto next = commit(5, {one_slot_on(0, 2)});
  next.answered_below = 4;
  CHECK(check.admits(0, next));
  CHECK_FALSE(check.admits(0, first));
  CHECK(faults == std::vector<std::string>{
                    "plugin 'x': scheduler 3 commits number 1 to owner 0 after number 5, and has "
                    "said that it was answered; expected a higher number, or a commit without an "
                    "answer as it was"});
}

TEST_CASE_FIXTURE(checked, "a number that is used again does not hide another commit") {
  CHECK(check.admits(0, commit(2, {one_slot_on(0, 0)})));
  SUBCASE("one that has no answer yet") {
    CHECK_FALSE(check.admits(0, commit(2, {one_slot_on(0, 1)})));
    CHECK(faults == std::vector<std::string>{
                      "plugin 'x': scheduler 3 commits number 2 to owner 0 again, and asks for "
                      "something else; expected a higher number, or the same commit"});
  }
  SUBCASE("one that has never been used") {
    CHECK_FALSE(check.admits(0, commit(1, {one_slot_on(0, 1)})));
    CHECK(faults ==
          std::vector<std::string>{
            "plugin 'x': scheduler 3 commits number 1 to owner 0 after number 2; expected "
            "a higher number, or a commit without an answer as it was"});
  }
  SUBCASE("one of a commit to another owner") {
    CHECK(check.admits(1, commit(1, {one_slot_on(2, 1)})));
    CHECK(faults.empty());
  }
}
