#include "plugins/libraries.hpp"
#include "policies/checked_policy.hpp"
#include "policies/policy_trial.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace troupe;
using namespace troupe::test;

namespace {

std::string policy_fault(const std::string& name, const std::vector<std::string>& more = {}) {
  std::vector<std::string> set{"scheduler.policy=faulty", "policy.faulty.fault=\"" + name + "\""};
  set.insert(set.end(), more.begin(), more.end());
  return failure(set);
}

/// Picks machine 5 of any cluster.
class stubborn final : public placement_policy {
public:
  std::optional<machine_id> pick(const view&, const task_request&, decision_context&) override {
    ++calls;
    return 5;
  }

  static inline int calls = 0;
};

} // namespace

TEST_CASE("a plugin's policy that makes no mistakes runs as a built-in one") {
  CHECK(policy_fault("none") == "");
  const auto set = with_faulty({"scheduler.policy=faulty"});
  const auto first = try_cluster(tiny_cluster, set);
  CHECK(failed_checks(first).empty());
  CHECK(tasks_of(first).finished > 100);
  CHECK(first.policy == "faulty");
  CHECK(results_text(first) == results_text(try_cluster(tiny_cluster, set)));
}

TEST_CASE("a policy that may fail now and then, and finds nothing, only waits") {
  CHECK(policy_fault("undecided") == "");
}

TEST_CASE("a mistake of a plugin's policy ends the run with its name and the call") {
  struct mistake {
    const char* fault;
    const char* complaint;
  };
  const mistake mistakes[] = {
    {"throws", "pick() threw: lost the map"},
    {"throws-number", "pick() threw an object that is not a std::exception"},
    {"unknown-machine", "pick() returned machine 20 for task "},
    {"misfit", ", which asks for slots 1; free there is nothing"},
    {"nan", "pick() threw: the score of machine 0 for task "},
    {"learn", "learn() threw: does not want to know"},
  };
  for (const auto& [name, complaint] : mistakes) {
    const auto message = policy_fault(name, {"policy.faulty.after=2s"});
    CAPTURE(message);
    CAPTURE(complaint);
    CHECK(message.starts_with("plugin 'faulty' (" + library("faulty_policy") + "): "));
    CHECK(message.find(complaint) != std::string::npos);
  }
}

TEST_CASE("a machine that a task may not run on is refused") {
  const auto message = policy_fault(
    "forbidden", {"workload.spread=true", "workload.tasks_per_job.value=4", "network.latency=0s"});
  CAPTURE(message);
  CHECK(message.find("which may not run there: the machine does not pass the task's filter") !=
        std::string::npos);
}

TEST_CASE("a policy that cannot be made is refused before the run starts") {
  const auto thrown = policy_fault("make");
  CAPTURE(thrown);
  CHECK(thrown.find("scheduler.policy=faulty: key 'scheduler.policy'") != std::string::npos);
  CHECK(thrown.find("its make() threw: there is no such thing as a fault") != std::string::npos);
  CHECK(policy_fault("nothing").find("its make() made nothing") != std::string::npos);
}

TEST_CASE("the check tells the first fault only and does not call the policy again") {
  const auto machines = slot_machines(4, 2);
  std::vector<std::string> faults;
  checked_policy policy([] { return std::make_unique<stubborn>(); }, "plugin 'x'",
                        [&](const std::string& what) { faults.push_back(what); });
  view seen{machines, instant{0}};
  const auto before = stubborn::calls;
  const auto result = run_trial(policy, seen, equal_tasks(3, resources::of_slots(1)));
  CHECK(result.picks == std::vector<std::optional<machine_id>>(3));
  CHECK(stubborn::calls == before + 1);
  CHECK(faults == std::vector<std::string>{
                    "plugin 'x': pick() returned machine 5 for task 1.0, and there are machines 0 "
                    "to 3 only"});
  CHECK(seen.units() == 8);
}
