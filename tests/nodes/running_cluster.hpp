#pragma once

#include "cli/process.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

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

/// `troupe cluster up` in the directory "cluster" of a scratch directory.
class running_cluster {
public:
  /// Starts it with the small settings and more options, and waits until its nodes are there.
  explicit running_cluster(const std::vector<std::string>& more = {},
                           const char* settings = small_settings);
  ~running_cluster();

  const scratch& here() const { return here_; }
  program& up() { return up_; }

  /// What `troupe status --json` says; null where nobody answers.
  json status() const;

  /// Of a node, by its name; null if there is none.
  json node(const std::string& name) const;

  pid_t pid_of(const std::string& name) const;

  /// Processes of all nodes that have been seen.
  const std::vector<pid_t>& pids() const { return pids_; }

  bool none_is_left() const;

  json summary() const;

private:
  scratch here_;
  program up_;
  std::vector<pid_t> pids_;
};

/// Ends a node with a signal, and checks that its exit code is 0; shows what it said otherwise.
void check_ends_well(program& node, int signal);

} // namespace troupe::test
