#pragma once

#include "nodes/client/policies_text.hpp"

#include <chrono>
#include <string>

namespace troupe::test {

/// Six schedulers: two on one node, of which one has confirmed, two on another one that has
/// refused, one on a node that is gone, and one without a policy.
inline cluster_report ordered_policies() {
  using namespace std::chrono_literals;
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

} // namespace troupe::test
