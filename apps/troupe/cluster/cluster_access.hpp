#pragma once

#include "nodes/client/cluster_client.hpp"

#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace troupe {

/// The options with which commands identify a running cluster.
struct cluster_access {
  std::string directory;
  std::string at;
  std::string certs;
  std::string as = "client";
};

/// Adds --cluster, --at, --certs and --as to `command`; `access` must outlive it.
void add_cluster_access(CLI::App& command, cluster_access& access);

/// Returns how to reach that cluster. Throws `usage_error` if the options do not identify one, or
/// name a directory without a running cluster or certificates that cannot be used.
cluster_client_options contact_of(const cluster_access& access);

/// Where a client's certificate is.
struct client_files {
  std::filesystem::path directory;
  std::string name;
};

/// Returns those with which the options reach the cluster. Throws `usage_error` if there are none.
client_files files_of(const cluster_access& access);

} // namespace troupe
