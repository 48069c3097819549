#include "nodes/client/cluster_text.hpp"
#include "nodes/client/policies_text.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// Six schedulers: two on one node, of which one has confirmed, two on another one that has
/// refused, one on a node that is gone, and one without a policy.
cluster_report ordered_policies() {
  cluster_report all;
  all.now = 90s;
  for (std::uint32_t n = 1; n <= 3; ++n) {
    node_entry e;
    e.who.name = "node-" + std::to_string(n);
    e.index = n;
    e.present = n < 3;
    all.nodes.nodes.push_back(e);
    node_report report;
    report.index = n;
    all.reports.push_back(report);
  }
  const policy_choice ordered{"adaptive", {"ema_weight=0.1", "tau=500ms"}};
  for (scheduler_id s = 0; s < 5; ++s) {
    all.policies.push_back({s, "a", true, true, 30s, ordered});
    auto& report = all.reports[s / 2];
    report.members.push_back({role::scheduler, s, 1});
    if (s != 1)
      report.policies.push_back({s, 30s, s < 2 || s > 3 ? "" : "no plugin has it"});
  }
  all.reports[0].policies.push_back({1, 20s, ""}); // of an earlier order
  all.policies.push_back({5, "b", false, false, 0s, {"batch-sampling", {}}});
  all.reports[0].members.push_back({role::scheduler, 5, 1});
  return all;
}

std::string table_of(const cluster_report& all) {
  std::ostringstream out;
  write_policies(out, all);
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
  const auto rows = policy_rows(all);
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
  CHECK(policy_rows(all)[1].state == policy_presence::in_force);
  CHECK(policy_rows(all)[1].node == "node-2");
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

TEST_CASE("programs get the policies as JSON") {
  const auto j = policies_json(ordered_policies());
  CHECK(j["time_s"] == 90);
  REQUIRE(j["schedulers"].size() == 6);
  const auto& first = j["schedulers"][0];
  CHECK(first["policy"] == "adaptive");
  CHECK(first["settings"]["tau"] == "500ms");
  CHECK(first["since_s"] == 30);
  CHECK(first["by"] == "client");
  CHECK(first["node"] == "node-1");
  CHECK(j["schedulers"][2]["reason"] == "no plugin has it");
  CHECK(j["schedulers"][4]["state"] == "away");
  CHECK(j["schedulers"][4]["node"].is_null());
  CHECK(j["schedulers"][5]["changeable"] == false);
  CHECK_FALSE(j["schedulers"][5].contains("since_s"));
}

TEST_CASE("a run gets the policy that was ordered for all schedulers, and no other") {
  auto policies = ordered_policies().policies;
  CHECK(overrides_of(policies) == std::vector<std::string>{"scheduler.policy=adaptive",
                                                           "policy.ema_weight=0.1",
                                                           "policy.tau=500ms"});
  policies[3].policy.settings[1] = "tau=501ms";
  CHECK(overrides_of(policies).empty());
  for (auto& p : policies)
    p.policy = {"mine", {"level=2"}};
  CHECK(overrides_of(policies) ==
        std::vector<std::string>{"scheduler.policy=mine", "policy.mine.level=2"});
  policies[0].ordered = false;
  CHECK(overrides_of(policies).empty());
  CHECK(overrides_of({}).empty());
}

TEST_CASE("numbers one after the other are a range") {
  CHECK(numbers_text({}) == "");
  CHECK(numbers_text({3}) == "3");
  CHECK(numbers_text({0, 1}) == "0, 1");
  CHECK(numbers_text({0, 1, 2, 5, 7, 8, 9, 10}) == "0 to 2, 5, 7 to 10");
}
