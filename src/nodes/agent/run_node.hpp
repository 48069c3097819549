#pragma once

#include "model/metrics/results.hpp"
#include "nodes/registry/gateway.hpp"
#include "process/command/command_spec.hpp"
#include "report/progress/progress.hpp"
#include "security/tls_files.hpp"
#include "settings/schema/settings.hpp"
#include "web/server.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace troupe {

/// How a node runs the commands of tasks.
struct command_options {
  command_user user{};         ///< not set: that of the node
  bool keeps_commands = false; ///< they go on when the node ends, as of `command_executor_config`
  pid_t tied_to = 0;           ///< commands end with this process; 0: none
};

/// The options of a node.
struct node_options {
  std::string name;
  node_roles roles;
  machine_description machine; ///< the host as a machine; no capacity: it emulates its machines
  host_port listen{"127.0.0.1", 0}; ///< port 0: a free one
  std::string advertise;            ///< the host by which others reach it; empty: as in `listen`
  /// Addresses of the nodes that may have the master; none: this one may.
  std::vector<host_port> join;
  std::optional<run_settings> settings; ///< of the cluster, on the master's node
  std::uint32_t expected_nodes = 0;
  std::optional<tls_files> credentials; ///< none: it listens on loopback only
  std::optional<web_options> api;       ///< where it serves the page, with the role api
  std::filesystem::path state;
  std::chrono::milliseconds heartbeat{500}; ///< at which nodes check their connections
  std::chrono::milliseconds timeout{1500};
  std::chrono::seconds patience{30}; ///< how long it may take to be emptied before it leaves
  command_options commands{};        ///< of tasks, in a cluster with jobs of clients
};

/// Watches a node and may end it. All functions but `find_story` are called from the thread that
/// called `run_node`.
class node_monitor {
public:
  virtual ~node_monitor() = default;

  /// It listens there.
  virtual void listens(const host_port& at) = 0;

  /// It serves the page of the cluster there.
  virtual void serves(const std::string& /*url*/) {}

  /// Reports the things that the node waits for, and since when; empty: it waits no more. Called
  /// at every change, and once per second.
  virtual void waits(const std::string&, std::chrono::seconds) {}

  /// The workload, which belongs to this node, begins, continues, or has ended.
  virtual void work_begins(const run_settings&) {}
  virtual void progress(const run_progress&) {}
  virtual void results(const run_results&, const run_settings&) {}

  /// As in `run_monitor`: a row of its time series has been measured.
  virtual bool take_row(const interval_record&, const run_results&) { return false; }
  virtual bool take_row(const tenant_record&, const run_results&) { return false; }

  /// Called with finished records of jobs and tasks, if the settings want them.
  virtual void take_records(const record_batch&, const run_results&) {}

  /// A client asks what happened to a task of the workload, which belongs to this node. `tell` may
  /// be called at once or soon. Both are called from any thread.
  virtual void find_story(const story_request& asked, std::function<void(story_reply)> tell);

  /// Polled often: true makes the node shut down gracefully.
  virtual bool stop_requested() = 0;
};

/// Runs a node until the monitor asks for its end. If a database keeps the jobs of the cluster, the
/// node with the master waits until it has the lease of that, and steps back when it loses it.
/// Throws `std::runtime_error` with a message for the user if it cannot listen or is refused.
void run_node(const node_options& options, node_monitor& monitor);

/// Returns whether an address is one of this host alone.
bool is_loopback(const std::string& host);

/// Returns whether an address means all addresses of a host, such as 0.0.0.0.
bool is_unspecified(const std::string& host);

} // namespace troupe
