#pragma once

#include "nodes/observer.hpp"

#include <string>

namespace CLI {
class App;
}

namespace troupe {

/// How the commands that look at a running cluster are told which one.
struct cluster_access {
  std::string directory;
  std::string at;
  std::string certs;
  std::string as = "client";
};

/// Adds --cluster, --at, --certs and --as to `command`; `access` must outlive it.
void add_cluster_access(CLI::App& command, cluster_access& access);

/// Returns how to reach that cluster. Throws `usage_error` if the options do not say, or name a
/// directory where no cluster runs or certificates that cannot be used.
observer_options contact_of(const cluster_access& access);

} // namespace troupe
