#pragma once

#include "failures/cluster_process.hpp"
#include "failures/host_network.hpp"
#include "failures/node_log.hpp"
#include "failures/reserved_port.hpp"
#include "failures/status_client.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace troupe::trials {

using json = nlohmann::json;

/// A node to start.
struct node_plan {
  std::string name;
  std::string roles;
  std::uint32_t machines = 0;      ///< with the role machine
  std::size_t host = 0;            ///< if hosts are separate
  std::vector<std::string> more{}; ///< further options
};

/// The parts of a cluster under test.
struct cluster_plan {
  std::filesystem::path troupe;       ///< the program
  std::filesystem::path directory;    ///< for its files
  std::filesystem::path config;       ///< the settings
  std::vector<std::string> overrides; ///< of settings, KEY=VALUE
  /// Those with the role master come first; there is one, unless the jobs are in a database.
  std::vector<node_plan> nodes;
  std::size_t hosts = 0; ///< separate hosts with a network of their own; 0: all on loopback
  std::chrono::seconds patience{120}; ///< limit for any state to come
};

/// A cluster of `troupe node` processes with mutual TLS, started one by one. Functions throw
/// `std::runtime_error` if a process cannot be started or an expected state does not come.
class trial_cluster {
public:
  explicit trial_cluster(cluster_plan plan);

  /// Starts all nodes; the workload begins once all have joined.
  void start();

  /// Adds a node to the plan, to be started.
  void add(node_plan node);

  /// Starts a node, for the first time or again.
  void start(const std::string& name);

  cluster_process& process(const std::string& name) { return *processes_.at(name); }
  host_network& network() { return *network_; }
  std::size_t host_of(const std::string& name) const { return plan_of(name).host; }
  const cluster_plan& plan() const { return plan_; }

  /// Returns the address at which a node listens.
  std::string address_of(const std::string& name) const;

  /// Returns the names of the nodes with the role master.
  std::vector<std::string> keepers() const;

  /// Returns the output of `troupe COMMAND --json`, asked at the nodes with the role master until
  /// one answers; null without an answer.
  json ask(const std::string& command) const;

  /// Returns the same for `troupe status`.
  json status() const;

  /// Waits for a state, and throws if it does not come.
  void wait_for(const std::string& what, const std::function<bool()>& holds) const;

  /// Waits until the workload has this age.
  json wait_for_work(std::chrono::milliseconds age) const;

  /// Returns the results, or null if there are none yet.
  json summary() const;
  json wait_for_summary() const;
  std::filesystem::path results() const { return plan_.directory / "results"; }

  std::vector<log_line> log(const std::string& name) const { return read_log(log_file(name)); }
  std::filesystem::path log_file(const std::string& name) const {
    return plan_.directory / (name + ".log");
  }

private:
  const node_plan& plan_of(const std::string& name) const;
  void make_certificates() const;
  void make_certificate(const node_plan& node) const;
  std::string join() const;
  std::string story() const;

  cluster_plan plan_;
  std::unique_ptr<host_network> network_;
  std::vector<reserved_port> ports_;
  std::map<std::string, std::string> keepers_at_; ///< where they listen
  mutable std::map<std::string, status_client> keepers_asked_;
  std::map<std::string, std::unique_ptr<cluster_process>> processes_;
};

} // namespace troupe::trials
