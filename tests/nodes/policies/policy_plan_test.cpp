#include "nodes/policies/policy_plan.hpp"
#include "policies/policy_text.hpp"
#include "settings/toml/read.hpp"
#include "support/contains.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

constexpr const char* two_groups = R"(
[cluster]
machines = 20
partitions = 4
owners = 2
[policy]
tau = "700ms"
[[groups]]
name = "a"
schedulers = 2
workload = { phases = [{ length = "5s", rate = 10 }] }
[[groups]]
name = "b"
schedulers = 1
policy = { tau = "900ms" }
workload = { phases = [{ length = "5s", rate = 10 }] }
)";

/// As nodes have them.
run_settings settings_of(std::vector<std::string> set = {}) {
  set.emplace_back("clock=real");
  auto settings = parse_settings(two_groups, "two.toml", set);
  settings.failures.watch = watch_kind::on;
  return settings;
}

std::string text_of(const policy_reply& reply) {
  if (!reply.why_not.empty())
    return reply.why_not;
  std::string text;
  for (const auto& order : reply.orders) {
    text += (text.empty() ? "" : "; ") + policy_text(order.to) + ":";
    for (const auto s : order.schedulers)
      text += " " + std::to_string(s);
  }
  return text;
}

std::string planned(const policy_request& asked, const std::vector<std::string>& set = {}) {
  return text_of(plan_policies(settings_of(set), asked, 5s));
}

std::string plan_refusal(const policy_request& asked, const std::vector<std::string>& set = {}) {
  const auto reply = plan_policies(settings_of(set), asked, 5s);
  CHECK(reply.bad_input);
  CHECK(reply.orders.empty());
  return reply.why_not;
}

std::string policies_text(const std::vector<scheduler_policy>& all) {
  std::string text;
  for (const auto& p : all)
    text += (text.empty() ? "" : "; ") + p.group + " " + policy_text(p.policy) + " since " +
            std::to_string(p.since / 1s) + (p.ordered ? " ordered" : "") +
            (p.changes ? "" : " for ever");
  return text;
}

} // namespace

TEST_CASE("an order has what the client says, else what the settings of each group say") {
  CHECK(planned({"latency-first", {}, {}}) == "latency-first: 0 1 2");
  CHECK(planned({"adaptive", {}, {}}) == "adaptive (ema_weight = 0.1, tau = 700ms): 0 1; "
                                         "adaptive (ema_weight = 0.1, tau = 900ms): 2");
  CHECK(planned({"adaptive", {"policy.tau=500ms"}, {}}) ==
        "adaptive (ema_weight = 0.1, tau = 500ms): 0 1 2");
  CHECK(planned({"best-fit", {"policy.scan=7"}, {2, 0, 2}}) == "best-fit (scan = 7): 0 2");
}

TEST_CASE("orders that cannot be are refused with what would be right") {
  CHECK(plan_refusal({"adaptiv", {}, {}}) ==
        "the nodes of this cluster know no policy 'adaptiv' (did you mean 'adaptive'?); expected "
        "one of adaptive, best-fit, latency-first, quality-first, random-fit, worst-fit");
  CHECK(plan_refusal({"adaptive", {"policy.tow=1s"}, {}}) ==
        "--set policy.tow=1s: policy adaptive has no setting policy.tow; expected policy.tau or "
        "policy.ema_weight");
  CHECK(plan_refusal({"random-fit", {"policy.tau=1s"}, {}}) ==
        "--set policy.tau=1s: policy random-fit has no settings");
  CHECK(
    plan_refusal({"adaptive", {"seed=7"}, {}}).starts_with("--set seed=7: policy adaptive has no"));
  CHECK(contains(plan_refusal({"adaptive", {"policy.tau"}, {}}), "expected KEY=VALUE"));
  const auto wrong_value = plan_refusal({"adaptive", {"policy.tau=soon"}, {}});
  CHECK(contains(wrong_value, "--set policy.tau=soon: key 'policy.tau': value \"soon\"; expected"));
  CHECK(contains(plan_refusal({"adaptive", {"policy.ema_weight=2"}, {}}), "at most 1"));
  CHECK(plan_refusal({"adaptive", {}, {0, 3}}) ==
        "there is no scheduler 3; expected a number from 0 to 2");
}

TEST_CASE("schedulers without a policy have none to change") {
  const std::vector<std::string> sparrow{"architecture=sparrow"};
  CHECK(contains(plan_refusal({"adaptive", {}, {}}, sparrow),
                 "no scheduler of this cluster has a policy that can be changed: they choose "
                 "machines by "));
  const std::vector<std::string> hybrid{"architecture=hybrid", "hybrid.long_schedulers=1",
                                        "groups.1.schedulers=2"};
  CHECK(contains(plan_refusal({"adaptive", {}, {1}}, hybrid),
                 "scheduler 1 has no policy that can be changed: it chooses machines by "));
  CHECK(contains(plan_refusal({"adaptive", {}, {1}}, hybrid), "expected one of 0, 2"));
  CHECK(planned({"random-fit", {}, {}}, hybrid) == "random-fit: 0 2");
}

TEST_CASE("the later of what the settings and a client say is in force") {
  const auto settings = settings_of({"policy_changes=[{at=\"10s\", group=\"a\", to=\"best-fit\"}]",
                                     "scheduler.policy=quality-first"});
  const std::vector<policy_order> orders{{4s, {1, 2}, {"random-fit", {}}}};
  CHECK(policies_text(policies_at(settings, orders, 5s)) ==
        "a quality-first since 0; a random-fit since 4 ordered; b random-fit since 4 ordered");
  CHECK(policies_text(policies_at(settings, orders, 10s)) ==
        "a best-fit (scan = 0) since 10; a best-fit (scan = 0) since 10; "
        "b random-fit since 4 ordered");
  CHECK(last_planned_change(settings, 1, 9s) == 0s);
  CHECK(last_planned_change(settings, 1, 10s) == 10s);
  CHECK(last_planned_change(settings, 2, 10s) == 0s);
  const auto late =
    policies_at(settings, std::vector{policy_order{12s, {0}, {"worst-fit", {}}}}, 13s);
  live_about about;
  about.groups = {{"a", "?", 2}, {"b", "?", 1}};
  name_policies(about, late);
  CHECK(about.policy == "worst-fit+best-fit+quality-first");
  CHECK(about.groups[0].policy == "worst-fit+best-fit");
  CHECK(about.groups[1].policy == "quality-first");
  CHECK(late[0].policy.policy == "worst-fit");
  CHECK(late[1].policy.policy == "best-fit");
}

TEST_CASE("a change of a group is one of all its schedulers") {
  const auto settings = settings_of();
  const std::vector<policy_order> orders{{3s, {0, 1, 2}, {"random-fit", {}}},
                                         {4s, {1}, {"best-fit", {}}},
                                         {6s, {0, 1}, {"worst-fit", {}}}};
  const auto changes = changes_of_groups(settings, orders, 5s);
  REQUIRE(changes.size() == 3);
  CHECK(changes[0].at == 0s);
  CHECK(changes[0].group == "a");
  CHECK(changes[1].group == "b");
  CHECK(changes[1].to == "random-fit");
  CHECK(changes[2].at == 1s);
  CHECK(changes[2].group == "a");
  CHECK(changes[2].to == "worst-fit");
}
