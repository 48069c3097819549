#pragma once

#include "cli/process.hpp"
#include "failures/status_client.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace doctest {
struct IContextScope;
}

namespace troupe::test {

using json = nlohmann::json;

/// For states of real processes on a machine that may be very busy.
inline constexpr auto long_enough = std::chrono::seconds{120};

/// Looks again and again until `holds`; returns whether it did in time.
bool eventually(const std::function<bool()>& holds,
                std::chrono::steady_clock::duration patience = long_enough);

/// Returns whether a process is there and has not ended.
bool is_running(pid_t pid);

/// A workload of some seconds on 100 machines: 2,000 tasks.
extern const char* const small_settings;

/// Settings of workloads that outlast every test, with 200 and with 20 tasks per second.
inline constexpr const char* endless = "workload.phases=[{length=\"3600s\", rate=200}]";
inline constexpr const char* endless_trickle = "workload.phases=[{length=\"3600s\", rate=20}]";

/// `troupe cluster up` in the directory "cluster" of a scratch directory.
class running_cluster {
public:
  /// Starts it with the small settings and more options, and waits until its nodes are there.
  explicit running_cluster(const std::vector<std::string>& more = {},
                           const char* settings = small_settings);
  ~running_cluster();

  const scratch& here() const { return here_; }
  program& up() { return up_; }

  /// What `troupe status --json` says, without the member "format"; null without an answer.
  json status() const;

  /// The counts of the workload. Waits until the node of the workload reports them.
  json workload() const;

  /// Waits until more than so many tasks have finished.
  void wait_until_finished(int tasks = 200) const;

  /// A node's part of the status. Waits until the node is there and reports.
  json node(const std::string& name) const;

  pid_t pid_of(const std::string& name) const;

  /// Processes of all nodes that have been seen.
  const std::vector<pid_t>& pids() const { return pids_; }

  bool none_is_left() const;

  json summary() const;

  /// The contents of a file of the results.
  std::string file(const std::string& name) const;

private:
  /// A node's part of the status, with or without its report; null if there is none.
  json entry(const std::string& name) const;

  scratch here_;
  program up_;
  std::unique_ptr<doctest::IContextScope> story_; ///< tells what the nodes said, if a check fails
  mutable trials::status_client asked_;
  std::vector<pid_t> pids_;
};

/// Ends a node with a signal, and checks that its exit code is 0; shows what it said otherwise.
void check_ends_well(program& node, int signal);

} // namespace troupe::test
