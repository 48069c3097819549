#pragma once

#include "cluster/cluster_directory.hpp"
#include "cluster/cluster_news.hpp"
#include "cluster/cluster_watch.hpp"
#include "cluster/node_process.hpp"
#include "cluster/page_place.hpp"
#include "nodes/agent/local_plan.hpp"
#include "report/progress/progress.hpp"
#include "settings/schema/settings.hpp"

#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// Options for a cluster of processes on this host.
struct local_cluster_options {
  std::uint32_t nodes = 4;
  bool once = false;                ///< it ends with its workload
  bool restart = false;             ///< restarts nodes that die, except the one with the workload
  bool workload = true;             ///< whether there is one
  bool quiet = false;               ///< shows neither progress nor health
  std::optional<page_place> page{}; ///< one more node serves the page there
  std::string log_level;            ///< of the nodes
  std::string run_as;               ///< the user of commands; empty: as of `troupe node`
  std::filesystem::path certs;
};

/// A cluster of `troupe node` processes on this host: starts them, shows their state, and ends
/// them.
class local_cluster {
public:
  /// Throws `usage_error` if the options do not fit the settings. `directory` must outlive it.
  local_cluster(const cluster_directory& directory, const run_settings& settings,
                const local_cluster_options& options);

  /// Runs the cluster until a signal arrives or, with `once`, until its workload is over. No
  /// process is left afterwards. Returns the program's exit code. Throws `std::runtime_error` if
  /// the cluster cannot be started.
  int run();

private:
  using clock = std::chrono::steady_clock;

  struct member {
    planned_node plan;
    std::unique_ptr<node_process> process{}; ///< null: it has ended
    clock::time_point started{};
    clock::time_point start_again = clock::time_point::max();
    std::chrono::milliseconds backoff{500};
  };

  void start(member& m);
  void add_share_of_host(std::vector<std::string>& words) const;
  member& with_page();
  void start_all();
  void introduce() const;
  void introduce_page() const;
  void wait_for_page();
  void look_after_processes();
  void died(member& m, const process_end& end);
  void look_at_news();
  void show_work(const workload_progress& work);
  void work_is_over();
  void end_all();
  bool wait_for_end(member& m, std::chrono::seconds patience);
  int code() const;

  void say(const std::string& line);

  const cluster_directory& directory_;
  const run_settings& settings_;
  local_cluster_options options_;
  std::vector<member> members_; ///< the first has the master
  host_port at_;
  std::string page_on_;      ///< where the page is served: host and port
  std::string page_address_; ///< likewise, for a browser
  std::optional<cluster_watch> watch_;
  std::uint64_t seen_ = 0;
  bool answers_ = true;
  cluster_news news_;
  clock::time_point work_from_{};
  run_progress progress_;
  std::unique_ptr<progress_printer> printer_;
  bool over_ = false; ///< the workload is over
  bool lost_ = false; ///< the node of the workload died before that
  bool ending_ = false;
};

} // namespace troupe
