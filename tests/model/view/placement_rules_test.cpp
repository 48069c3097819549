#include "model/view/placement_rules.hpp"
#include "support/attribute_cluster.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace troupe;
using namespace troupe::testing;

namespace {

const std::vector<task_class> one_class{{"fast", {{parse_constraint("disk == ssd"), 0.7}}}};

struct placement_rules_fixture {
  catalog machines = disk_catalog({ssd, hdd, ssd, hdd}, 1, 2, one_class);
  placement_rules rules{machines, true};
  job_book jobs;

  /// Submits a job and returns its first task.
  waiting_task first_of(const job& j) {
    rules.submit(j);
    jobs.submit(j);
    return jobs.find({j.id, 0}).value();
  }
};

} // namespace

TEST_CASE_FIXTURE(placement_rules_fixture,
                  "a task that asks for room only is sought a machine without a filter") {
  const auto request = rules.request(first_of(slot_job(1, 1)));
  CHECK(request.task == task_id{1, 0});
  CHECK(request.demand == one_slot);
  CHECK(request.filter.empty());
  CHECK(request.task_class == 0);
}

TEST_CASE_FIXTURE(placement_rules_fixture, "constraints become the kinds that meet them") {
  const auto task = first_of(constrained_job(1, 1, "disk == ssd"));
  const auto request = rules.request(task);
  CHECK(request.filter.admits(machines, 0));
  CHECK_FALSE(request.filter.admits(machines, 1));
  CHECK(rules.possible(task));
  CHECK_FALSE(rules.violated(task, 0));
  CHECK(rules.violated(task, 1));
}

TEST_CASE_FIXTURE(placement_rules_fixture, "a task that no machine could ever hold is recognised") {
  CHECK_FALSE(rules.possible(first_of(constrained_job(1, 1, "disk == tape"))));
  auto wide = constrained_job(2, 1, "disk == ssd");
  wide.groups[0].demand = resources::of_slots(3);
  CHECK_FALSE(rules.possible(first_of(wide)));
  CHECK(rules.possible(first_of(constrained_job(3, 1, "disk == ssd"))));
}

TEST_CASE_FIXTURE(placement_rules_fixture,
                  "the machines of a spread job are kept free of its other tasks") {
  const auto task = first_of(spread_job(1, 3));
  CHECK(rules.request(task).filter.empty());
  rules.enter(*task.of, 2);
  CHECK_FALSE(rules.request(task).filter.admits(machines, 2));
  CHECK(rules.request(task).filter.admits(machines, 0));
  CHECK_FALSE(rules.violated(task, 2));
  rules.enter(*task.of, 2);
  CHECK(rules.violated(task, 2));
  rules.leave(*task.of, 2);
  rules.leave(*task.of, 2);
  CHECK(rules.request(task).filter.empty());
}

TEST_CASE_FIXTURE(placement_rules_fixture, "a task's class counts where preferences are heeded") {
  auto j = slot_job(1, 1);
  j.groups[0].task_class = 1;
  const auto task = first_of(j);
  CHECK(rules.request(task).task_class == 1);
  placement_rules without{machines, false};
  CHECK(without.request(task).task_class == 0);
  CHECK(without.class_of(task) == 1); // the quality is that of the class
  j.id = 2;
  j.groups[0].task_class = 2;
  CHECK_THROWS_AS(rules.submit(j), std::invalid_argument);
}

TEST_CASE_FIXTURE(placement_rules_fixture,
                  "what found no machine is not tried again until something is free") {
  const auto task = rules.request(first_of(constrained_job(1, 2, "disk == ssd")));
  CHECK_FALSE(rules.blocked(task, 4));
  rules.block(task, 4);
  CHECK(rules.blocked(task, 4));
  CHECK_FALSE(rules.blocked(task, 5)); // the view has gained
  CHECK(rules.blocked(rules.request(first_of(constrained_job(2, 1, "disk == ssd"))), 4));
  CHECK_FALSE(rules.blocked(rules.request(first_of(constrained_job(3, 1, "disk != ssd"))), 4));
  auto wide = constrained_job(4, 1, "disk == ssd");
  wide.groups[0].demand = resources::of_slots(2);
  const auto more = rules.request(first_of(wide));
  CHECK(rules.blocked(more, 4));
  rules.block(more, 5);
  CHECK_FALSE(rules.blocked(task, 5)); // it asks for less
}

TEST_CASE_FIXTURE(placement_rules_fixture,
                  "a machine that is free of a job lets tasks be tried again") {
  const auto spread = first_of(spread_job(1, 2));
  rules.enter(*spread.of, 0);
  const auto request = rules.request(spread);
  rules.block(request, 4);
  CHECK(rules.blocked(request, 4));
  CHECK_FALSE(rules.blocked(rules.request(first_of(spread_job(2, 1))), 4)); // it may go anywhere
  rules.leave(*spread.of, 0);
  CHECK_FALSE(rules.blocked(rules.request(spread), 4));
}

TEST_CASE("what only others' partitions could hold is not possible within one's own") {
  // Partition 0 has machine 0, of four slots; partition 1 the others, of two.
  const catalog machines{
    {{resources::of_slots(4), 3}, {resources::of_slots(2), 2}}, {{"default", {}}}, 2, one_slot};
  const std::vector<partition_id> small_one{1};
  job_book jobs;
  auto j = slot_job(1, 1);
  j.groups[0].demand = resources::of_slots(3);
  const auto possible = [&](placement_rules rules) {
    rules.submit(j);
    return rules.possible(jobs.find({1, 0}).value());
  };
  jobs.submit(j);
  CHECK(possible({machines, true}));
  CHECK_FALSE(possible({machines, true, small_one}));
}

TEST_CASE("attributes that only others' partitions have are not met within one's own") {
  const auto machines = disk_catalog({ssd, hdd}, 2, 2, {}); // a partition for each machine
  const std::vector<partition_id> hdd_only{
    machines.place_of(machines.machine(0).kind == hdd ? 0 : 1).partition};
  job_book jobs;
  const auto j = constrained_job(1, 1, "disk == ssd");
  jobs.submit(j);
  const auto task = jobs.find({1, 0}).value();
  placement_rules everywhere{machines, true};
  everywhere.submit(j);
  CHECK(everywhere.possible(task));
  placement_rules here{machines, true, hdd_only};
  here.submit(j);
  CHECK_FALSE(here.possible(task));
}
