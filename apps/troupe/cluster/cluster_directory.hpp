#pragma once

#include "nodes/registry/gateway.hpp"
#include "security/certified_identity.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace troupe {

/// How to reach a cluster that runs in a directory.
struct cluster_contact {
  host_port at;                ///< the node with the role master
  std::filesystem::path certs; ///< has ca.crt and the client's certificate and key
  std::string as;              ///< the client's name
};

/// The directory that the processes of a cluster on this host keep their state in, for one cluster
/// at a time:
///
///     cluster.json   how to reach it, while it runs
///     cluster.toml   its settings
///     certs/         its authority and the certificates of its nodes
///     NODE/          address, log, output and state of a node
///     results/       of the workload
class cluster_directory {
public:
  /// Creates the directory if it does not exist, locks it, and removes files that nodes of an
  /// earlier cluster have left. Throws `usage_error` if a cluster runs there.
  explicit cluster_directory(std::filesystem::path path);
  cluster_directory(const cluster_directory&) = delete;
  cluster_directory& operator=(const cluster_directory&) = delete;
  ~cluster_directory();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path settings() const { return path_ / "cluster.toml"; }
  std::filesystem::path certs() const { return path_ / "certs"; }
  std::filesystem::path results() const { return path_ / "results"; }
  std::filesystem::path node(const std::string& name) const { return path_ / name; }
  std::filesystem::path log(const std::string& name) const { return node(name) / "log"; }
  std::filesystem::path output(const std::string& name) const { return node(name) / "output"; }

  /// Writes how to reach the cluster.
  void announce(const cluster_contact& contact) const;

private:
  std::filesystem::path path_;
  int lock_ = -1;
};

/// Reads how to reach the cluster that runs in a directory. Throws `usage_error` if there is none.
cluster_contact find_cluster(const std::filesystem::path& directory);

/// Makes sure that there is an authority in `certs`, and for each node a valid certificate for its
/// roles; creates missing and expired ones. Throws `usage_error` if it cannot, or if others could
/// read or replace the new files.
void provide_certificates(const std::filesystem::path& certs,
                          const std::vector<certified_identity>& nodes);

} // namespace troupe
