#pragma once

#include "cluster/cluster_access.hpp"
#include "jobs/job_api.hpp"
#include "nodes/client/policies_text.hpp"

#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace troupe {

/// How the commands for policies reach a cluster: by the protocol of nodes, or by its API.
struct policy_access {
  cluster_access cluster;
  std::string url;
  std::string token_file;
};

/// Adds --cluster, --at, --api, --token, --certs and --as; `access` must outlive `command`.
void add_policy_access(CLI::App& command, policy_access& access);

/// A connection to a cluster whose policies are shown or changed.
class policy_line {
public:
  virtual ~policy_line() = default;

  virtual policy_table policies() = 0;

  /// Has schedulers take another policy. They take it after this has returned.
  virtual policy_reply change(const policy_request& asked) = 0;
};

/// Connects. Throws `usage_error` if the options identify no cluster, `std::runtime_error`; so do
/// the functions of what it returns, and over the API also what `job_api` throws.
std::unique_ptr<policy_line> open_policy_line(const policy_access& access);

} // namespace troupe
