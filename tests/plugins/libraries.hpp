#pragma once

#include "policies/plugin_library.hpp"
#include "runtime/cluster/cluster_trial.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace troupe::test {

inline std::string library(const std::string& name) {
  return std::filesystem::canonical(std::string{TROUPE_PLUGIN_DIR} + "/" + name + ".so").string();
}

/// The overrides that load the faulty policy and scheduler.
inline std::vector<std::string> with_faulty(std::vector<std::string> set) {
  enable_scheduler_plugins();
  set.insert(set.begin(), {"plugins.paths+=" + library("faulty_policy"),
                           "plugins.paths+=" + library("faulty_scheduler")});
  return set;
}

/// Loads the schedulers that swarms of these tests draw. The rows of a swarm are made once, so
/// every test has to load all of them before it draws.
inline void load_swarm_schedulers() {
  enable_scheduler_plugins();
  load_plugin(library("faulty_scheduler"));
  load_plugin(library("prober"));
}

inline constexpr const char* tiny_cluster = R"(
schedulers = 2
[cluster]
machines = 20
partitions = 4
owners = 2
[workload]
arrivals = "poisson"
duration = { kind = "exponential", value = 0.5 }
[[workload.phases]]
length = "4s"
rate = 60
)";

/// Returns the message with which a run of the tiny cluster fails; empty if it does not.
inline std::string failure(const std::vector<std::string>& set) {
  try {
    try_cluster(tiny_cluster, with_faulty(set));
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return {};
}

} // namespace troupe::test
