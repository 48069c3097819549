#pragma once

#include "jobs/job_cluster.hpp"
#include "jobs/store/rows.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace troupe::trials {

/// The policies that schedulers may have: the last one that was ordered, and those of later orders
/// that were not answered. Those of schedulers without a policy are not there.
struct expected_policies {
  /// By scheduler: "adaptive 137ms", the policy and its tau, if it has one.
  std::map<std::uint32_t, std::set<std::string>> of;
  std::set<std::uint32_t> ordered; ///< schedulers with an answered order

  /// Returns what is wrong with the orders that a store has kept.
  std::vector<std::string> faults_in(const std::vector<ordered_policy_row>& kept) const;
};

/// Sets policies of a cluster, drawn by a seed, by clients of its API.
class policy_setter {
public:
  /// The cluster answers, and soon has begun. `expected` is kept up to date.
  policy_setter(trial_cluster& cluster, std::uint64_t seed, expected_policies& expected);

  /// Starts a client that sets a policy, if there are schedulers with one: at the first call, and
  /// later if the seed says so.
  void begin();

  /// Waits for that client.
  void end();

  std::uint32_t answered() const { return answered_; }

  /// Returns what is wrong with the policies in force: by the nodes, which have confirmed, and by
  /// the schedulers themselves. Waits for a while until nothing is.
  std::vector<std::string> faults();

private:
  struct order {
    std::string policy;
    std::string tau;                          ///< empty: the policy has none
    std::optional<std::uint32_t> scheduler{}; ///< none: all
  };

  json policies() const;
  order draw_order();
  std::vector<std::string> differences() const;

  trial_cluster& cluster_;
  std::mt19937_64 draw_;
  expected_policies& expected_;
  order under_way_;                         ///< or the last one
  std::unique_ptr<cluster_process> client_; ///< that sets it
  bool begun_ = false;
  std::uint32_t answered_ = 0;
};

} // namespace troupe::trials
