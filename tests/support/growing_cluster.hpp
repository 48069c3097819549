#pragma once

#include "model/base/random.hpp"
#include "runtime/cluster/growth_plan.hpp"
#include "settings/toml/read.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// A small cluster in virtual time whose machines join and leave.
namespace troupe::test {

inline constexpr std::uint32_t growing_places = 40;

/// Owners give silent machines up after 2 s, and act for at most 2 s without the master.
inline constexpr const char* growing_toml = R"(
name = "growing"
schedulers = 4

[cluster]
machines = 40
partitions = 8
owners = 4

[[cluster.classes]]
name = "a"
cpu = 2
attributes = { zone = "a" }

[[cluster.classes]]
name = "b"
cpu = 2
attributes = { zone = "b" }

[sync]
gap = "600ms"

[network]
latency = "2ms"
jitter = "1ms"
machine_latency = "1ms"

[scheduler]
t_task = "1ms"
commit_timeout = "1s"

[failures]
timeout = "1200ms"
machine_timeout = "3s"
owner_lease = "2s"
retries = 0
standby_owners = 1
standby_schedulers = 1

[workload]
cpu = 1
tasks_per_job = { value = 3 }
duration = { kind = "exponential", value = 0.8, max = 4 }

[[groups]]
name = "anywhere"
schedulers = 2
workload = { phases = [{ length = "60s", rate = 6 }] }

[[groups]]
name = "in-a"
schedulers = 2
workload = { constraints = ["zone == a"], phases = [{ length = "60s", rate = 3 }] }

[chaos]
faults = 0
patience = "60s"
)";

inline run_settings growing_settings(const std::string& architecture, std::uint64_t seed,
                                     std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"architecture=" + architecture, "seed=" + std::to_string(seed)});
  return parse_settings(growing_toml, "growing", more);
}

/// The cluster begins with no machine. Machines stay for some seconds, with any capacity and
/// attributes; the next one comes after a rest, or the same one at once, with another capacity.
/// Some are drained before they leave. In the end one in each partition stays.
inline std::shared_ptr<const growth_plan> joins_and_leaves(std::uint64_t seed, std::size_t& joins) {
  auto random = random_stream::derive(seed, "growth", 0);
  const auto between = [&](std::uint64_t least, std::uint64_t most) {
    return duration{std::chrono::milliseconds{least + random.below(most - least)}};
  };
  auto plan = std::make_shared<growth_plan>();
  plan->at.resize(growing_places);
  for (machine_id m = 0; m < growing_places; ++m) {
    instant now = instant{0} + between(500, 8000);
    machine_description is;
    bool rested = true;
    while (now < instant{0} + std::chrono::seconds{60}) {
      if (rested)
        is.attributes["zone"] = random.below(2) == 0 ? "a" : "b";
      is.capacity[resource::cpu] = static_cast<std::int32_t>(1000 * (1 + random.below(4)));
      const auto leaves = now + between(300, 5000);
      const bool drains = random.below(3) == 0;
      plan->at[m].push_back({now, leaves, is, drains ? between(100, 4000) : duration{0}});
      ++joins;
      rested = random.below(4) == 0;
      now = leaves + (rested ? between(5500, 7000) : between(50, 1500));
    }
  }
  for (machine_id m = 0; m < growing_places; m += 5) { // one in each partition
    auto& last = plan->at[m].back();
    const auto from = last.to + between(5500, 6000);
    plan->at[m].push_back({from, instant::max(), last.is, duration{0}});
    plan->at[m].back().is.attributes["zone"] = "a";
    plan->at[m].back().is.capacity[resource::cpu] = 4000;
    ++joins;
  }
  return plan;
}

} // namespace troupe::test
