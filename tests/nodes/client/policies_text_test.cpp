#include "nodes/client/cluster_text.hpp"
#include "nodes/policies/ordered_policies.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

std::string table_of(const cluster_report& all) {
  std::ostringstream out;
  write_policies(out, policies_of(all));
  return out.str();
}

} // namespace

TEST_CASE("policies are shown with what has become of the orders") {
  CHECK(
    table_of(ordered_policies()) ==
    "schedulers  group  policy                                    since   by        state\n"
    "0           a      adaptive (ema_weight = 0.1, tau = 500ms)  30.0 s  a client  in force\n"
    "1           a      adaptive (ema_weight = 0.1, tau = 500ms)  30.0 s  a client  pending\n"
    "2, 3        a      adaptive (ema_weight = 0.1, tau = 500ms)  30.0 s  a client  refused: "
    "no plugin has it\n"
    "4           a      adaptive (ema_weight = 0.1, tau = 500ms)  30.0 s  a client  away\n"
    "5           b      batch-sampling                            -       -         in force\n");
}

TEST_CASE("policies of the settings need no confirmation") {
  auto all = ordered_policies();
  for (auto& p : all.policies)
    p.ordered = false;
  const auto rows = policies_of(all).rows;
  CHECK(rows[1].state == policy_presence::in_force);
  CHECK(rows[1].node == "node-1");
  CHECK(rows[2].state == policy_presence::in_force);
  CHECK(rows[4].state == policy_presence::away);
  CHECK(rows[4].node.empty());
  CHECK(table_of(all).find("the settings") != std::string::npos);
}

TEST_CASE("a scheduler that has just moved counts where it has confirmed") {
  auto all = ordered_policies();
  all.reports[1].members.push_back({role::scheduler, 1, 2});
  all.reports[1].policies.push_back({1, 30s, ""});
  CHECK(policies_of(all).rows[1].state == policy_presence::in_force);
  CHECK(policies_of(all).rows[1].node == "node-2");
}

TEST_CASE("the status counts the schedulers of each policy") {
  auto all = ordered_policies();
  CHECK(policies_line(all) == "adaptive 5, batch-sampling 1");
  CHECK(cluster_json(all)["policies"]["adaptive"] == 5);
  all.policies.pop_back();
  CHECK(policies_line(all) == "adaptive");
  std::ostringstream status;
  write_status(status, all);
  CHECK(status.str().find("\npolicy     adaptive\n") != std::string::npos);
}

TEST_CASE("a run gets the policy that was ordered for all schedulers, and no other") {
  auto policies = policies_of(ordered_policies()).rows;
  CHECK(overrides_of(policies) == std::vector<std::string>{"scheduler.policy=adaptive",
                                                           "policy.ema_weight=0.1",
                                                           "policy.tau=500ms"});
  policies[3].policy.policy.settings[1] = "tau=501ms";
  CHECK(overrides_of(policies).empty());
  for (auto& p : policies)
    p.policy.policy = {"mine", {"level=2"}};
  CHECK(overrides_of(policies) ==
        std::vector<std::string>{"scheduler.policy=mine", "policy.mine.level=2"});
  policies[0].policy.ordered = false;
  CHECK(overrides_of(policies).empty());
  CHECK(overrides_of({}).empty());
}

TEST_CASE("numbers one after the other are a range") {
  CHECK(numbers_text({}) == "");
  CHECK(numbers_text({3}) == "3");
  CHECK(numbers_text({0, 1}) == "0, 1");
  CHECK(numbers_text({0, 1, 2, 5, 7, 8, 9, 10}) == "0 to 2, 5, 7 to 10");
}
