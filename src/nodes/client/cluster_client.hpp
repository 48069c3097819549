#pragma once

#include "nodes/client/cluster_source.hpp"
#include "nodes/registry/gateway.hpp"
#include "security/tls_files.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace troupe {

/// How a client, which is not a node, connects to a cluster.
struct cluster_client_options {
  host_port at;                         ///< address of the master's node
  std::optional<tls_files> credentials; ///< as for a node; none: for a cluster without certificates
  std::chrono::milliseconds patience{5000}; ///< limit of each step
};

/// A client's connection to the master's node. All functions throw `std::runtime_error` with a
/// message for the user that names the address and the cause. No function waits longer than a few
/// times the patience: an answer may never come, and CAF does not report this.
class cluster_client final : public cluster_source {
public:
  /// Connects. Throws `security_error` if the credentials cannot be used.
  explicit cluster_client(const cluster_client_options& options);
  ~cluster_client() override;

  cluster_client(const cluster_client&) = delete;
  cluster_client& operator=(const cluster_client&) = delete;

  cluster_report status() override;
  live_report live(const live_request& asked) override;
  story_reply story(const story_request& asked) override;

  /// Starts to drain a node. The drain continues after this has returned.
  void drain(const std::string& node);

  /// Has schedulers take another policy. They take it after this has returned.
  policy_reply change_policies(const policy_request& asked);

private:
  class connection;
  std::unique_ptr<connection> connection_;
};

} // namespace troupe
